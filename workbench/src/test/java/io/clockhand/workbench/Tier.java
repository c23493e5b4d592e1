// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench;

import java.util.List;

/** How much a test does: the property {@code test.tier} of the build. */
public final class Tier {
    /** Child JVMs live for seconds: the default tier compiles them by C1 alone, as the JVM of the tests. */
    public static final List<String> CHILD_FLAGS =
            "default".equals(System.getProperty("test.tier")) ? List.of("-XX:TieredStopAtLevel=1") : List.of();

    private Tier() {}

    /** {@return one of two amounts of work} */
    public static int pick(int usual, int nightly) {
        return "nightly".equals(System.getProperty("test.tier")) ? nightly : usual;
    }
}
