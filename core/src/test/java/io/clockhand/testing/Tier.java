// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.testing;

import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * How much a test run does, by the system property {@code test.tier}, which {@code mvn -Dtest.tier=ci} sets. A test
 * that only a later tier runs has the tag {@code ci} or {@code nightly}; a test that does more work there asks here.
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

    /**
     * {@return cases of a test: in the default tier some, taken evenly from all, else all}
     *
     * @param inDefault the number of cases in the default tier
     * @param all all cases
     * @param <T> their type
     */
    public static <T> Stream<T> some(int inDefault, Stream<T> all) {
        List<T> cases = all.toList();
        int count = Math.min(pick(inDefault, cases.size(), cases.size()), cases.size());
        return IntStream.range(0, count).mapToObj(i -> cases.get(i * cases.size() / count));
    }
}
