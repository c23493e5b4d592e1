// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.testing;

import java.time.Duration;

/** The time-outs of pools and caches of tests; programs that run without JUnit know it, too. */
public final class Patience {
    /**
     * For waits that must not time out. Longer than {@link Workers#LIMIT}, so that a test says what never happened,
     * before a wait that has missed it ends.
     */
    public static final Duration PATIENCE = Duration.ofMinutes(3);

    private Patience() {}
}
