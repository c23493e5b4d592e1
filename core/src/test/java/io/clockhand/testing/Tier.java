// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.testing;

import java.util.Locale;

/**
 * How much a test run does, by the system property {@code test.tier}, which {@code mvn -Dtest.tier=ci} sets. A test that
 * only a later tier runs has the tag {@code ci} or {@code nightly}; a test that does more work there asks here.
 */
public enum Tier {
    /** {@code mvn verify}: minutes. */
    DEFAULT,
    /** {@code .ci/run}: half an hour. */
    CI,
    /** {@code .ci/nightly}: hours. */
    NIGHTLY;

    private static final Tier CURRENT =
            valueOf(System.getProperty("test.tier", "default").toUpperCase(Locale.ROOT));

    /** {@return the tier of this run} */
    public static Tier current() {
        return CURRENT;
    }

    /**
     * {@return the amount of work of this run: rounds, iterations, seeds}
     *
     * @param inDefault in the default tier
     * @param inCi in CI
     * @param inNightly at night
     */
    public static int pick(int inDefault, int inCi, int inNightly) {
        return switch (CURRENT) {
            case DEFAULT -> inDefault;
            case CI -> inCi;
            case NIGHTLY -> inNightly;
        };
    }
}
