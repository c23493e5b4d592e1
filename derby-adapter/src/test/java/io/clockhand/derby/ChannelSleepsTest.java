// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.derby;

import static io.clockhand.derby.ManagerTest.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A thread that sleeps as Derby does while another one ends its sleeps. */
class ChannelSleepsTest {
    private static final long LONG_MILLIS = TimeUnit.MINUTES.toMillis(2);

    private final CountDownLatch never = new CountDownLatch(1);
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

        while (ended < 500 && interruptsBehindASleep.get() == 0) {
            ended += sleeps.end() ? 1 : 0;
        }

        eventually(
                "the writer sleeps again",
                () -> writer.getState() == Thread.State.TIMED_WAITING && !writer.isInterrupted());
        assertThat(interruptsBehindASleep).as("interrupts behind a sleep").hasValue(0);
        assertThat(begun).as("sleeps").hasValueGreaterThanOrEqualTo(ended);
    }

    /** It may be about to end by itself, and the interrupt would come too late. */
    @Test
    void sleepThatMayHaveBegunLongAgoIsLeftAlone() throws Exception {
        writer.start();
        awaitSleep(1);
        now += TimeUnit.MILLISECONDS.toNanos(300);

        assertThat(sleeps.end()).as("an old sleep is ended").isFalse();
        assertThat(sleeps.end()).as("a sleep that was left alone is ended").isFalse();

        writer.interrupt();
        awaitSleep(2);
        assertThat(sleeps.end()).as("the next sleep is ended").isTrue();
    }

    /** Such as those before the log is forced once more. */
    @Test
    void otherWaitsOfTheWriterAreLeftAlone() throws Exception {
        Thread waiting = new Thread(() -> RAFContainer.clean(never), "waiting writer");
        ChannelSleeps waits = new ChannelSleeps(waiting, () -> now);
        waiting.start();
        eventually("the writer waits", () -> waiting.getState() == Thread.State.TIMED_WAITING);

        assertThat(waits.end()).as("another wait is ended").isFalse();
        assertThat(waiting.isInterrupted()).isFalse();

        never.countDown();
        waiting.join();
    }

    @Test
    void sleepsInOtherMethodsOfDerbyAreLeftAlone() throws Exception {
        Thread sleeping = new Thread(RAFContainer::sync, "sleeping writer");
        ChannelSleeps others = new ChannelSleeps(sleeping, () -> now);
        sleeping.start();
        eventually("the writer sleeps", () -> sleeping.getState() == Thread.State.TIMED_WAITING);

        assertThat(others.end()).as("a sleep of another method is ended").isFalse();

        sleeping.interrupt();
        sleeping.join();
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
        eventually(
                "sleep " + number + " has begun",
                () -> begun.get() == number && writer.getState() == Thread.State.TIMED_WAITING);
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
                for (int spin = 0; spin < 5_000; spin++) {
                    Thread.onSpinWait();
                }
                if (Thread.interrupted()) {
                    test.interruptsBehindASleep.incrementAndGet();
                }
            }
        }

        /** No sleep. */
        static void clean(CountDownLatch latch) {
            try {
                assertThat(latch.await(LONG_MILLIS, TimeUnit.MILLISECONDS)).isTrue();
            } catch (InterruptedException e) {
                // the test sees it
            }
        }

        static void sync() {
            try {
                Thread.sleep(LONG_MILLIS);
            } catch (InterruptedException e) {
                // the test is over
            }
        }
    }
}
