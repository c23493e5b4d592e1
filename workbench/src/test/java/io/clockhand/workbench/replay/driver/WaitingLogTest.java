// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.replay.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class WaitingLogTest {
    @Test
    void batchWaitsForItsRecordsOnce() {
        WaitingLog log = new WaitingLog(20_000_000);
        long first = log.append();
        long second = log.append();
        assertThat(first).isPositive().isLessThan(second);
        assertThat(log.end()).isLessThan(log.append());

        long begin = System.nanoTime();
        Thread.currentThread().interrupt();
        log.makeDurable(first);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThanOrEqualTo(Duration.ofMillis(20));
        log.makeDurable(second);

        assertThat(log.batches()).isEqualTo(2);
        assertThat(log.waits()).isEqualTo(1);
    }

    @Test
    void noLogHasNoRecordsAndNoWaits() {
        WaitingLog none = new WaitingLog(-1);
        assertThat(none.append()).isZero();
        none.makeDurable(0);

        assertThat(none.end()).isZero();
        assertThat(none.batches()).isEqualTo(1);
        assertThat(none.waits()).isZero();
    }
}
