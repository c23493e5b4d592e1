// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench;

/** The workbench's entry point. */
public final class Main {
    private Main() {}

    /** Runs the command that the arguments name. */
    public static void main(String[] args) {
        System.err.println("No command yet.");
        System.exit(2);
    }
}
