// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.frame;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.testing.SmallStack;
import org.junit.jupiter.api.Test;

class StackReserveTest {
    /** More than the pool has calls behind a check; each of these takes about 100 bytes in the interpreter. */
    private static final int CALLS = 100;
    /** More than a release has behind its check. */
    private static final int CALLS_OF_A_RELEASE = 20;

    @Test
    void callsBehindACheckDoNotOverflowTheStack() {
        expectEnough(StackReserve::check, CALLS);
    }

    @Test
    void callsOfAReleaseBehindItsCheckDoNotOverflowTheStack() {
        expectEnough(StackReserve::checkForRelease, CALLS_OF_A_RELEASE);
    }

    /** First in the interpreter, later compiled, since the check is called tens of thousands of times. */
    private static void expectEnough(Runnable check, int calls) {
        int[] notEnough = {0};

        int overflows = SmallStack.dive(120, depth -> {
            check.run();
            try {
                call(calls, depth, depth);
            } catch (StackOverflowError overflow) {
                notEnough[0]++;
            }
        });

        assertThat(notEnough[0]).as("checks that passed without enough stack").isZero();
        assertThat(overflows).as("checks that failed").isGreaterThan(30);
    }

    private static long call(int calls, long first, long second) {
        return calls == 0 ? first : call(calls - 1, second, first + calls);
    }
}
