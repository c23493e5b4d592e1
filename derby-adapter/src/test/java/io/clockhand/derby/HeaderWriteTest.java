// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.derby;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.derby.FakeObjects.FakeObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.derby.shared.common.error.StandardException;
import org.apache.derby.shared.common.reference.SQLState;
import org.junit.jupiter.api.Test;

/** Files that are written back while threads are interrupted. */
class HeaderWriteTest extends ManagerTest {
    /** As long as Derby tries: 120 times for half a second. */
    private static final int DERBYS_TRIES = 120;

    private static final long DERBYS_SLEEP_MILLIS = 500;
    /** Enough, with less to wait for. */
    private static final int TRIES = DERBYS_TRIES / 4;
    /** Longer than the time between two looks at the thread that writes. */
    private static final long WORK_NANOS = TimeUnit.MILLISECONDS.toNanos(3);

    @Test
    void interruptOfTheThreadThatCleansDoesNotReachTheWriteAndStaysPending() throws Exception {
        ClockhandCacheManager cache = cache("ContainerCache", 4, objects);
        soil(cache, 1);
        soil(cache, 2);
        Thread cleaning = Thread.currentThread();
        List<Boolean> interrupted = new ArrayList<>();
        objects.onClean = object -> {
            cleaning.interrupt();
            interrupted.add(Thread.currentThread().isInterrupted());
        };

        cleaning.interrupt();
        cache.cleanAll();

        assertThat(Thread.interrupted()).as("interrupt flag").isTrue();
        assertThat(interrupted).containsExactly(false, false);
        assertThat(objects.cleans).hasValue(2);
    }

    @Test
    void pageIsWrittenByTheThreadThatCleans() throws Exception {
        ClockhandCacheManager cache = cache(4);
        soil(cache, 1);
        List<Thread> writers = new ArrayList<>();
        objects.onClean = object -> writers.add(Thread.currentThread());

        cache.cleanAll();

        assertThat(writers).containsExactly(Thread.currentThread());
    }

    /** While Derby sleeps it keeps other threads from opening the channel. */
    @Test
    void writeThatWaitsForAClosedChannelEndsAtOnceAndIsTriedAgain() throws Exception {
        ClockhandCacheManager cache = cache("ContainerCache", 4, objects);
        FakeObject file = soil(cache, 1);
        AtomicInteger writes = new AtomicInteger();
        int failures = 3;
        objects.onClean = object -> {
            if (writes.getAndIncrement() < failures) {
                assertThat(RAFContainer.clean(TRIES)).isZero();
                throw StandardException.newException(SQLState.FILE_IO_INTERRUPTED);
            }
        };

        long begin = System.nanoTime();
        cache.cleanAll();

        Duration sleepsToTheEnd = Duration.ofMillis(failures * DERBYS_SLEEP_MILLIS * TRIES);
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(sleepsToTheEnd.dividedBy(3));
        assertThat(writes).hasValue(failures + 1);
        assertThat(file.dirty).isFalse();
        assertThat(Thread.interrupted()).as("interrupt flag").isFalse();
    }

    /** An interrupt between two sleeps would close the channel that the file is written through. */
    @Test
    void eachSleepIsInterruptedOnceAlthoughTheWriterWakesLate() throws Exception {
        ClockhandCacheManager cache = cache("ContainerCache", 4, objects);
        soil(cache, 1);
        AtomicInteger stray = new AtomicInteger();
        objects.onClean = object -> stray.addAndGet(RAFContainer.clean(TRIES));
        AtomicBoolean done = new AtomicBoolean();
        List<Running<Void>> load = new ArrayList<>();
        for (int i = 0; i < 2 * Runtime.getRuntime().availableProcessors(); i++) {
            load.add(start(() -> {
                while (!done.get()) {
                    Thread.onSpinWait();
                }
                return null;
            }));
        }

        try {
            cache.cleanAll();
        } finally {
            done.set(true);
        }

        assertThat(stray).as("interrupts between two sleeps").hasValue(0);
        for (Running<Void> thread : load) {
            thread.result();
        }
    }

    /** Sleeps in a method of the name of Derby's. */
    private static final class RAFContainer {
        /** {@return the number of interrupts that came between two sleeps} */
        static int clean(int tries) {
            int stray = 0;
            for (int i = 0; i < tries; i++) {
                try {
                    Thread.sleep(DERBYS_SLEEP_MILLIS);
                } catch (InterruptedException e) {
                    // Derby tries again
                }
                long next = System.nanoTime() + WORK_NANOS;
                while (System.nanoTime() < next) {
                    Thread.onSpinWait();
                }
                stray += Thread.interrupted() ? 1 : 0;
            }
            return stray;
        }
    }

    @Test
    void otherSleepsOfAWriteAreNotInterrupted() throws Exception {
        ClockhandCacheManager cache = cache("ContainerCache", 4, objects);
        soil(cache, 1);
        CountDownLatch never = new CountDownLatch(1);
        List<String> ends = new ArrayList<>();
        objects.onClean = object -> {
            try {
                ends.add(never.await(DERBYS_SLEEP_MILLIS, TimeUnit.MILLISECONDS) ? "counted down" : "slept to the end");
            } catch (InterruptedException e) {
                ends.add("interrupted");
            }
        };

        cache.cleanAll();

        assertThat(ends).containsExactly("slept to the end");
    }

    @Test
    void derbyHasTheMethodThatSleeps() throws Exception {
        Class<?> file = Class.forName(ChannelSleeps.DERBYS_PACKAGE + ChannelSleeps.FILE_CLASS);
        assertThat(file.getDeclaredMethod(ChannelSleeps.WRITE_METHOD, boolean.class))
                .isNotNull();
    }

    @Test
    void failureOfAWriteReachesTheThreadThatCleans() throws Exception {
        ClockhandCacheManager cache = cache("ContainerCache", 4, objects);
        soil(cache, 1);
        StandardException derbys = FakeObjects.failure("disk");
        Error error = new OutOfMemoryError("injected");
        IllegalStateException unchecked = new IllegalStateException("injected");
        for (Throwable failure : List.of(derbys, error, unchecked)) {
            objects.onClean = object -> {
                throw HeaderWriteTest.<StandardException>sneaky(failure);
            };
            assertThatThrownBy(cache::cleanAll).isSameAs(failure);
        }
        objects.onClean = object -> {};
        cache.cleanAll();
        assertThat(objects.cleans).hasValue(1);
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> RuntimeException sneaky(Throwable failure) throws E {
        throw (E) failure;
    }

    @Test
    void fileIsRemovedByTheCallingThread() throws Exception {
        ClockhandCacheManager cache = cache("ContainerCache", 4, objects);
        FakeObject file = find(cache, 1);
        List<Thread> writers = new ArrayList<>();
        objects.onClean = object -> writers.add(Thread.currentThread());

        cache.remove(file);

        assertThat(writers).containsExactly(Thread.currentThread());
    }
}
