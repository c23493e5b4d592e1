// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.derby;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.derby.FakeObjects.FakeObject;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.derby.shared.common.error.StandardException;
import org.apache.derby.shared.common.reference.SQLState;
import org.junit.jupiter.api.Test;

/** Files that are written back while threads are interrupted. */
class HeaderWriteTest extends ManagerTest {
    private static final int SLEEPS = 10;

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
        FakeObject file = dirtyFile();
        AtomicInteger writes = new AtomicInteger();
        int failures = 3;
        objects.onClean = object -> {
            if (writes.getAndIncrement() < failures) {
                RAFContainer.clean(SLEEPS);
                throw closedChannel();
            }
        };

        HeaderWrite.clean(file, HeaderWriteTest::stoppedClock);

        assertThat(writes).hasValue(failures + 1);
        assertThat(file.dirty).isFalse();
        assertThat(Thread.interrupted()).as("interrupt flag").isFalse();
    }

    @Test
    void writeIsTriedForAsLongAsDerbyTriesAndThenFails() throws Exception {
        FakeObject file = dirtyFile();
        AtomicLong seconds = new AtomicLong();
        StandardException closed = closedChannel();
        objects.onClean = object -> {
            seconds.addAndGet(25);
            throw closed;
        };

        assertThatThrownBy(() -> HeaderWrite.clean(file, () -> TimeUnit.SECONDS.toNanos(seconds.get())))
                .isSameAs(closed);

        assertThat(seconds)
                .as("seconds of the first try that ends after a minute")
                .hasValue(75);
        assertThat(file.dirty).as("dirty").isTrue();
    }

    /** An interrupt between two sleeps would close the channel that the file is written through. */
    @Test
    void eachSleepIsInterruptedOnceAlthoughTheWriterWakesLate() throws Exception {
        FakeObject file = dirtyFile();
        AtomicInteger stray = new AtomicInteger();
        objects.onClean = object -> stray.addAndGet(RAFContainer.clean(4 * SLEEPS));
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
            HeaderWrite.clean(file, HeaderWriteTest::stoppedClock);
        } finally {
            done.set(true);
        }

        assertThat(stray).as("interrupts between two sleeps").hasValue(0);
        for (Running<Void> thread : load) {
            thread.result();
        }
    }

    /** Each sleep has just begun: however slow the machine is, none is left alone because it may be about to end. */
    private static long stoppedClock() {
        return 0;
    }

    private FakeObject dirtyFile() {
        FakeObject file = (FakeObject) objects.newCacheable(null);
        file.carry(1);
        file.dirty = true;
        return file;
    }

    private static StandardException closedChannel() {
        return StandardException.newException(SQLState.FILE_IO_INTERRUPTED);
    }

    /** Sleeps in a method of the name of Derby's. */
    private static final class RAFContainer {
        /** {@return the number of interrupts that came between two sleeps} */
        static int clean(int sleeps) {
            int stray = 0;
            for (int i = 0; i < sleeps; i++) {
                try {
                    Thread.sleep(TimeUnit.MINUTES.toMillis(2));
                    throw new AssertionError("nobody has ended sleep " + i);
                } catch (InterruptedException e) {
                    // Derby tries again
                }
                // Longer than the time between two looks at this thread.
                for (int spin = 0; spin < 50_000; spin++) {
                    Thread.onSpinWait();
                }
                stray += Thread.interrupted() ? 1 : 0;
            }
            return stray;
        }
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
