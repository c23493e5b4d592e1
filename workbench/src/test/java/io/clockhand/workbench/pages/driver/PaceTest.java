// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.pages.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class PaceTest {
    private static Duration of(Pace pace, int references) {
        long begin = System.nanoTime();
        for (int i = 0; i < references; i++) {
            pace.await();
        }
        return Duration.ofNanos(System.nanoTime() - begin);
    }

    @Test
    void referencesAreNotFasterThanTheRate() {
        assertThat(of(new Pace(1_000, 0, () -> false), 51)).isGreaterThanOrEqualTo(Duration.ofMillis(50));
    }

    @Test
    void firstReferencesOfThreadsAreApart() {
        assertThat(of(new Pace(10, 0.5, () -> false), 1)).isGreaterThanOrEqualTo(Duration.ofMillis(50));
    }

    @Test
    void stopEndsAWait() {
        Pace pace = new Pace(0.001, 0, () -> true);

        for (int i = 0; i < 3; i++) {
            pace.await(); // not for 2,000 seconds
        }
    }

    @Test
    void interruptNeitherShortensAWaitNorIsLost() {
        Pace pace = new Pace(20, 0, () -> false);
        Thread.currentThread().interrupt();

        assertThat(of(pace, 2)).isGreaterThanOrEqualTo(Duration.ofMillis(50));
        assertThat(Thread.interrupted()).isTrue();
    }
}
