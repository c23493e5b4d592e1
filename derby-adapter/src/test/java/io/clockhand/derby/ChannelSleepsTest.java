// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.derby;

import static io.clockhand.derby.ManagerTest.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A thread that sleeps as Derby does while another one ends its sleeps. */
@Timeout(60)
class ChannelSleepsTest {
    private static final long LONG_MILLIS = TimeUnit.MINUTES.toMillis(1);

    private final Thread writer = new Thread(() -> RAFContainer.clean(this), "writer");
    private long now;
    private final ChannelSleeps sleeps = new ChannelSleeps(writer, () -> now);
    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicInteger interruptsBehindASleep = new AtomicInteger();
    private volatile boolean done;

    @AfterEach
    void endTheWriter() throws Exception {
        done = true;
        writer.interrupt();
        writer.join();
    }

    @Test
    void sleepIsInterruptedOnceHoweverOftenTheOtherThreadLooks() throws Exception {
        int ended = 0;
        writer.start();

        while (ended < 2_000 && interruptsBehindASleep.get() == 0) {
            ended += sleeps.end() ? 1 : 0;
        }

        eventually(() -> writer.getState() == Thread.State.TIMED_WAITING && !writer.isInterrupted());
        assertThat(interruptsBehindASleep).hasValue(0);
        assertThat(begun).as("sleeps").hasValueGreaterThanOrEqualTo(ended);
    }

    /** It may be about to end by itself, and the interrupt would come too late. */
    @Test
    void sleepThatMayHaveBegunLongAgoIsLeftAlone() throws Exception {
        writer.start();
        awaitSleep(1);
        now += TimeUnit.MILLISECONDS.toNanos(300);

        assertThat(sleeps.end()).isFalse();
        assertThat(sleeps.end()).isFalse();

        writer.interrupt();
        awaitSleep(2);
        assertThat(sleeps.end()).as("the next sleep is ended").isTrue();
    }

    @Test
    void threadThatHasEndedOrHasNotBegunDoesNotSleep() throws Exception {
        assertThat(sleeps.end()).isFalse();
        done = true;
        writer.start();
        writer.join();
        assertThat(sleeps.end()).isFalse();
    }

    private void awaitSleep(int number) {
        eventually(() -> begun.get() == number && writer.getState() == Thread.State.TIMED_WAITING);
    }

    /** Has the name of Derby's class and method. */
    private static final class RAFContainer {
        static void clean(ChannelSleepsTest test) {
            while (!test.done) {
                test.begun.incrementAndGet();
                try {
                    Thread.sleep(LONG_MILLIS);
                } catch (InterruptedException e) {
                    // the next sleep
                }
                long next = System.nanoTime() + TimeUnit.MICROSECONDS.toNanos(200);
                while (System.nanoTime() < next) {
                    Thread.onSpinWait();
                }
                if (Thread.interrupted()) {
                    test.interruptsBehindASleep.incrementAndGet();
                }
            }
        }
    }
}
