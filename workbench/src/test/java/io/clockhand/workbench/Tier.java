// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench;

/** How much a test does: the property {@code test.tier} of the build. */
public final class Tier {
    private Tier() {}

    /** {@return one of two amounts of work} */
    public static int pick(int usual, int nightly) {
        return "nightly".equals(System.getProperty("test.tier")) ? nightly : usual;
    }
}
