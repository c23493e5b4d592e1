// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.testing.Tier;
import io.clockhand.testing.Workers.Worker;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The modes of a latch, its version, and what it shares with the state of its frame. */
class LatchesTest extends LatchedFrame {
    @Test
    void readersShareWriterExcludes() {
        assertThat(latches.tryShared(FRAME)).isTrue();
        assertThat(latches.tryShared(FRAME)).isTrue();
        assertThat(latches.tryExclusive(FRAME)).isFalse();
        latches.releaseShared(FRAME);
        assertThat(latches.acquireExclusive(FRAME, SHORT)).isFalse();
        latches.releaseShared(FRAME);
        assertThat(latches.tryExclusive(FRAME)).isTrue();
        assertThat(latches.tryShared(FRAME)).isFalse();
        assertThat(latches.tryUpgradable(FRAME)).isFalse();
        assertThat(latches.acquireShared(FRAME, SHORT)).isFalse();
        assertThat(latches.acquireUpgradable(FRAME, SHORT)).isFalse();
        latches.releaseExclusive(FRAME);
    }

    @Test
    void oneUpdaterIsAdmittedConcurrentlyWithReaders() {
        assertThat(latches.tryUpgradable(FRAME)).isTrue();
        assertThat(latches.tryShared(FRAME)).isTrue();
        assertThat(latches.tryUpgradable(FRAME)).isFalse();
        assertThat(latches.tryExclusive(FRAME)).isFalse();
        assertThat(latches.upgrade(FRAME, SHORT)).isFalse();
        latches.releaseShared(FRAME);
        assertThat(latches.upgrade(FRAME, SHORT)).isTrue();
        assertThat(latches.tryShared(FRAME)).isFalse();
        latches.releaseExclusive(FRAME);
        assertThat(latches.tryUpgradable(FRAME)).isTrue();
        latches.releaseUpgradable(FRAME);
    }

    private long version() {
        return LatchWord.version(states.latch(FRAME));
    }

    @Test
    void writersAndClaimsChangeTheVersion() {
        long version = version();
        latches.tryShared(FRAME);
        latches.tryUpgradable(FRAME);
        latches.releaseUpgradable(FRAME);
        latches.releaseShared(FRAME);
        assertThat(version()).isEqualTo(version);
        latches.tryExclusive(FRAME);
        assertThat(LatchWord.isExclusive(states.latch(FRAME))).isTrue();
        latches.releaseExclusive(FRAME);
        assertThat(version()).isEqualTo(version + 1);
        assertThat(states.tryClaim(FRAME)).isTrue();
        assertThat(version()).isEqualTo(version + 2);
        states.revoke(FRAME, false);
        assertThat(version()).isEqualTo(version + 2);
    }

    @Test
    void closedLatchCannotBeAcquired() {
        states.tryClaim(FRAME);
        assertThat(latches.isClosed(FRAME)).isTrue();
        assertThat(latches.tryShared(FRAME)).isFalse();
        assertThat(latches.tryUpgradable(FRAME)).isFalse();
        assertThat(latches.tryExclusive(FRAME)).isFalse();
        assertThat(latches.acquireShared(FRAME, SHORT)).isFalse();
        assertThat(latches.acquireUpgradable(FRAME, SHORT)).isFalse();
        assertThat(latches.acquireExclusive(FRAME, SHORT)).isFalse();
        states.publishPinned(FRAME, 0);
        states.ready(FRAME, true);
        assertThat(latches.isClosed(FRAME)).isFalse();
        assertThat(latches.tryExclusive(FRAME)).as("the loader has a share").isFalse();
        latches.releaseShared(FRAME);
    }

    @Test
    void pageThatIsReadCannotBeClaimed() {
        latches.tryShared(FRAME);
        assertThat(states.tryClaim(FRAME)).isFalse();
        latches.releaseShared(FRAME);
        assertThat(states.tryClaim(FRAME)).isTrue();
        states.revoke(FRAME, false);
    }

    @Test
    void claimClearsTheMarkOfAWaiterThatHasGivenUp() {
        latches.tryShared(FRAME);
        assertThat(latches.acquireExclusive(FRAME, SHORT)).isFalse();
        states.casLatch(FRAME, states.latch(FRAME), states.latch(FRAME) | LatchWord.WAITED);
        latches.releaseShared(FRAME);
        states.casLatch(FRAME, states.latch(FRAME), states.latch(FRAME) | LatchWord.WAITED);
        states.tryClaim(FRAME);
        assertThat(states.latch(FRAME) & LatchWord.WAITED).isZero();
        states.revoke(FRAME, false);
    }

    @Test
    void latchWithoutSharesCannotBeReleasedByAReader() {
        long word = states.latch(FRAME);
        assertThatThrownBy(() -> latches.releaseShared(FRAME))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("released by a reader");
        assertThat(states.latch(FRAME)).isEqualTo(word);
    }

    @Test
    void versionsWrapWithoutATraceInOtherFields() {
        states.casLatch(FRAME, states.latch(FRAME), LatchWord.VERSION);
        assertThat(version()).isPositive();
        latches.tryExclusive(FRAME);
        latches.releaseExclusive(FRAME);
        assertThat(version()).isZero();
        states.casLatch(FRAME, states.latch(FRAME), LatchWord.VERSION);
        states.tryClaim(FRAME);
        assertThat(version()).isZero();
        states.revoke(FRAME, false);
    }

    @Test
    void holderIsNamed() {
        assertThat(latches.describe(FRAME)).isEqualTo("not latched");
        latches.tryExclusive(FRAME);
        assertThat(latches.describe(FRAME))
                .contains("to write by thread '" + Thread.currentThread().getName() + "'");
        latches.releaseExclusive(FRAME);
    }

    @Test
    void releaseWithoutALatchIsRefused() {
        assertThatThrownBy(() -> latches.releaseShared(FRAME)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> latches.releaseUpgradable(FRAME)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> latches.releaseExclusive(FRAME)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> latches.upgrade(FRAME, SHORT)).isInstanceOf(IllegalStateException.class);
    }

    /** Two plain numbers that writers change together; a reader, an upgrader or a writer never sees them differ. */
    @Test
    void modesExcludeEachOtherUnderLoad() {
        int turns = Tier.pick(4_000, 20_000, 500_000);
        long[] pair = new long[2];
        AtomicInteger upgraders = new AtomicInteger();
        List<Worker<Void>> running = new ArrayList<>();
        for (int thread = 0; thread < 8; thread++) {
            int number = thread;
            running.add(workers.run(() -> useLatch(number, pair, upgraders, turns)));
        }
        running.forEach(Worker::result);
    }

    private void useLatch(int number, long[] pair, AtomicInteger upgraders, int turns) {
        for (int turn = 0; turn < turns; turn++) {
            int kind = (number + turn) % 4;
            if (kind == 0) {
                assertThat(latches.acquireExclusive(FRAME, LONG)).isTrue();
                write(pair);
                latches.releaseExclusive(FRAME);
            } else if (kind == 1) {
                assertThat(latches.acquireUpgradable(FRAME, LONG)).isTrue();
                assertThat(upgraders.incrementAndGet()).isOne();
                assertThat(pair[0]).isEqualTo(pair[1]);
                if (turn % 2 == 0) {
                    assertThat(latches.upgrade(FRAME, LONG)).isTrue();
                    write(pair);
                    upgraders.decrementAndGet();
                    latches.releaseExclusive(FRAME);
                } else {
                    upgraders.decrementAndGet();
                    latches.releaseUpgradable(FRAME);
                }
            } else {
                assertThat(latches.acquireShared(FRAME, LONG)).isTrue();
                assertThat(pair[0]).isEqualTo(pair[1]);
                latches.releaseShared(FRAME);
            }
        }
    }

    private static void write(long[] pair) {
        assertThat(pair[0]).isEqualTo(pair[1]);
        pair[0]++;
        Thread.onSpinWait();
        pair[1]++;
    }
}
