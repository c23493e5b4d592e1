// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.derby.conformance;

/**
 * Work on a database, with a transcript that is the same in every run.
 *
 * @param name a sentence, also the name of the schema it works in
 * @param body the work
 */
record Scenario(String name, Body body) {
    /** The work. */
    @FunctionalInterface
    interface Body {
        void run(Stage stage) throws Exception;
    }

    String schema() {
        return name.toUpperCase(java.util.Locale.ROOT).replaceAll("[^A-Z]+", "_");
    }
}
