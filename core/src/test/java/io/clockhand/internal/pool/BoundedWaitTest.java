// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.internal.metrics.WaitEvent;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import jdk.jfr.Registered;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A wait that cannot be recorded, since memory has run out: what was waited for stays with the thread. */
class BoundedWaitTest {
    private static final PoolOptions OPTIONS = new PoolOptions(
            "",
            1,
            1,
            true,
            Duration.ofSeconds(1),
            "",
            IllegalStateException::new,
            Duration.ofNanos(1),
            (what, waited) -> {
                throw new IllegalStateException(what);
            });

    /** An event that cannot be recorded. */
    @Registered(false)
    private static final class Unrecordable extends WaitEvent {
        private final boolean linked;

        Unrecordable(boolean linked) {
            this.linked = linked;
        }

        @Override
        public void finish() {
            throw linked ? new StackOverflowError("the event") : new LinkageError("the event");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void waitThatHasSucceededIsNotUndoneByTheFailureToRecordIt(boolean linked) {
        BoundedWait.begin(OPTIONS, "a latch", () -> "page 7", new Unrecordable(linked))
                .until(nanos -> true, () -> "the latch of page 7");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void waitThatHasFailedIsReportedThoughItCannotBeRecorded(boolean linked) {
        BoundedWait wait = BoundedWait.begin(OPTIONS, "a latch", () -> "page 7", new Unrecordable(linked));

        assertThatThrownBy(() -> wait.until(nanos -> false, () -> "the latch of page 7"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the latch of page 7");
    }

    /** The process was suspended while the thread waited: what it waits for comes as soon as all go on. */
    @Test
    void waitThatEndsMuchTooLateIsTriedOnceMore() {
        AtomicInteger attempts = new AtomicInteger();
        assertThatCode(() -> BoundedWait.begin(OPTIONS, "a latch", () -> "page 7")
                        .until(
                                nanos -> {
                                    if (attempts.getAndIncrement() == 0) {
                                        passTime();
                                        return false;
                                    }
                                    return nanos > 0;
                                },
                                () -> "the latch of page 7"))
                .as("a wait that has ended much too late")
                .doesNotThrowAnyException();
        assertThat(attempts).as("attempts").hasValue(2);
    }

    @Test
    void waitThatIsLateAgainGivesUp() {
        AtomicInteger attempts = new AtomicInteger();
        assertThatThrownBy(() -> BoundedWait.begin(OPTIONS, "a latch", () -> "page 7")
                        .until(
                                nanos -> {
                                    attempts.getAndIncrement();
                                    passTime();
                                    return false;
                                },
                                () -> "the latch of page 7"))
                .isInstanceOf(IllegalStateException.class);
        assertThat(attempts.get()).as("attempts").isBetween(2, 3);
    }

    /** More than half a second. */
    private static void passTime() {
        long begin = System.nanoTime();
        while (System.nanoTime() - begin < 600_000_000) {
            LockSupport.parkNanos(600_000_000);
        }
    }
}
