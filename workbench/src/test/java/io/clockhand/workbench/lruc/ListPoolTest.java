// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.io.ForwardingPageStore;
import io.clockhand.io.MemoryPageStore;
import io.clockhand.io.PageStore;
import io.clockhand.workbench.lruc.Scheme.Flush;
import io.clockhand.workbench.pages.device.DeviceProfile;
import io.clockhand.workbench.pages.device.SimulatedSsd;
import io.clockhand.workbench.pages.driver.PageContent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which page is the victim, which misses are read stalls, and that no change is lost. */
class ListPoolTest {
    private static final int PAGES = 200;
    private static final int PAGE_BYTES = 512;
    private static final int FRAMES = 6;
    private static final int MANY = 1 << 20;
    private static final long LONG = TimeUnit.HOURS.toNanos(1);

    private final PageStore pages = new MemoryPageStore("pages", PAGE_BYTES);
    private final Recorded store = new Recorded();
    private ComparedPool pool;

    @BeforeEach
    void fillStore() throws IOException {
        for (long page = 0; page < PAGES; page++) {
            ByteBuffer bytes = ByteBuffer.allocate(PAGE_BYTES);
            pages.write(
                    page,
                    bytes.putLong(PageContent.of(page))
                            .putLong(PageContent.of(page))
                            .rewind());
        }
    }

    @AfterEach
    void close() throws Exception {
        store.permits.release(MANY);
        if (pool != null) {
            pool.close();
        }
    }

    /** Records writes, and lets them wait. */
    private final class Recorded extends ForwardingPageStore {
        private final List<Long> writes = new CopyOnWriteArrayList<>();
        private final Semaphore permits = new Semaphore(MANY);
        private final AtomicInteger inFlight = new AtomicInteger();
        private final AtomicInteger mostInFlight = new AtomicInteger();
        private volatile boolean fails;

        Recorded() {
            super(pages);
        }

        @Override
        public void read(long page, ByteBuffer target) throws IOException {
            store.read(page, target);
        }

        @Override
        public void write(long page, ByteBuffer source) throws IOException {
            writes.add(page);
            mostInFlight.accumulateAndGet(inFlight.incrementAndGet(), Math::max);
            permits.acquireUninterruptibly();
            permits.release();
            inFlight.decrementAndGet();
            if (fails) {
                throw new IOException("scripted");
            }
            store.write(page, source);
        }
    }

    private void open(Scheme scheme) {
        pool = new ListPool(store, FRAMES, scheme);
    }

    /** With a flusher that does nothing unless it writes whole regions. */
    private void open(String name) {
        Scheme scheme = Scheme.of(name, FRAMES, 1);
        open(scheme.flush() == Flush.WHOLE_REGION ? scheme : quiet(scheme, scheme.scanDepth(), 0));
    }

    private static Scheme quiet(Scheme scheme, int scanDepth, int slots) {
        return new Scheme(
                scanDepth,
                scheme.remembersFailedScan(),
                slots,
                scheme.flush(),
                scheme.twoMutexes(),
                scheme.serialFlush(),
                1,
                LONG);
    }

    /** With a flusher that writes as soon as fewer frames are free than it provides for. */
    private ListPool openFlushing(String name, int pagesPerPeriod) {
        Flush flush = Scheme.of(name, FRAMES, 1).flush();
        ListPool list = new ListPool(
                store,
                FRAMES,
                new Scheme(1, true, 0, flush, false, false, pagesPerPeriod, TimeUnit.MILLISECONDS.toNanos(1)));
        pool = list;
        return list;
    }

    private void openWar(int slots) {
        open(quiet(Scheme.of("war", FRAMES, 1), 1, slots));
    }

    private void read(long... numbers) throws Exception {
        for (long page : numbers) {
            pool.use(page, false);
        }
    }

    private void change(long... numbers) throws Exception {
        for (long page : numbers) {
            pool.use(page, true);
        }
    }

    private static <V> Future<V> start(Callable<V> work) {
        FutureTask<V> task = new FutureTask<>(work);
        new Thread(task).start();
        return task;
    }

    private static void await(BooleanSupplier condition) {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime())
                    .as("what the test waits for has not happened")
                    .isLessThan(end);
            Thread.onSpinWait();
        }
    }

    private long stalls() {
        return pool.figures().readStalls();
    }

    private void assertResident(long... numbers) throws Exception {
        for (long page : numbers) {
            assertThat(pool.use(page, false)).as("page %d is read", page).isFalse();
        }
    }

    private long changes(long page) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(PAGE_BYTES);
        pages.read(page, bytes);
        return PageContent.changes(page, bytes.getLong(PageContent.CHANGES_OFFSET));
    }

    // --- victims -----------------------------------------------------------------------------------------------------

    @Test
    void vanillaTakesACleanPageWithinItsScanAndElseWritesTheOldestDirtyOne() throws Exception {
        open(quiet(Scheme.of("vanilla", FRAMES, 1), 3, 0));
        change(0, 1);
        read(2);
        change(3, 4, 5);

        read(10); // for 2, the third from the tail
        assertThat(pool.figures().framesScanned()).isEqualTo(3);
        assertThat(stalls()).isZero();
        read(11); // nothing clean among three
        assertThat(store.writes).containsExactly(0L);
        assertThat(stalls()).isOne();
        assertResident(1, 3, 4, 5, 10, 11);
    }

    @ParameterizedTest
    @ValueSource(strings = {"vanilla", "vanilla-serial", "vanilla-no-stall", "cf-lru", "lru-c"})
    void readerStallsIfAllPagesAreDirty(String name) throws Exception {
        open(name);
        change(0, 1, 2, 3, 4, 5);
        read(10);

        assertThat(stalls()).isOne();
        assertThat(store.writes).containsExactly(0L);
        assertResident(1, 2, 3, 4, 5, 10);
    }

    @Test
    void readersOfASerialSchemeWriteOneAfterTheOther() throws Exception {
        open("vanilla-serial");
        change(0, 1, 2, 3, 4, 5);
        store.permits.drainPermits();
        Future<Boolean> one = start(() -> pool.use(10, false));
        Future<Boolean> two = start(() -> pool.use(11, false));
        await(() -> pool.figures().framesScanned() == FRAMES + 1 + 2 && store.inFlight.get() == 1);
        store.permits.release(MANY);
        assertThat(one.get() && two.get()).isTrue();

        assertThat(store.mostInFlight).hasValue(1);
        assertThat(stalls()).isEqualTo(2);
    }

    @Test
    void pageThatIsUsedWhileItIsWrittenStays() throws Exception {
        open("vanilla");
        change(0, 1, 2, 3, 4, 5);
        store.permits.drainPermits();
        Future<Boolean> miss = start(() -> pool.use(10, false));
        await(() -> store.inFlight.get() == 1);
        change(0);
        store.permits.release(MANY);
        assertThat(miss.get()).isTrue();

        assertResident(0);
        assertThat(store.writes).containsExactly(0L, 1L);
        pool.close();
        assertThat(changes(0)).isEqualTo(2);
    }

    @Test
    void dirtyVictimOfWarIsReadFromItsSlotAndNeverOverwritesANewerImage() throws Exception {
        openWar(32);
        change(0, 0, 1, 2, 3, 4, 5);
        store.permits.drainPermits();
        read(10);
        await(() -> store.inFlight.get() == 1);
        assertThat(pool.use(0, true)).as("page 0 is read").isFalse();
        read(11, 12, 1, 2, 3, 4, 5);

        assertThat(stalls()).isZero();
        assertThat(store.writes.stream().filter(page -> page == 0)).hasSize(1);
        store.permits.release(MANY);
        pool.close();
        assertThat(changes(0)).isEqualTo(3);
    }

    @Test
    void readerOfWarWaitsForASlotIfNoneIsFree() throws Exception {
        openWar(2);
        change(0, 1, 2, 3, 4, 5);
        store.permits.drainPermits();
        read(10, 11);
        assertThat(stalls()).isZero();
        long scanned = pool.figures().framesScanned();
        Future<Boolean> third = start(() -> pool.use(12, false));
        await(() -> pool.figures().framesScanned() > scanned);
        assertThat(third.isDone()).isFalse();
        store.permits.release(MANY);

        assertThat(third.get()).isTrue();
        assertThat(stalls()).isOne();
    }

    @Test
    void leastRecentlyUsedCleanPageIsTheVictimOfLruC() throws Exception {
        open("lru-c");
        change(0, 1);
        read(2);
        change(3);
        read(4, 5);

        read(10); // for 2
        assertThat(pool.figures().framesScanned()).isEqualTo(3);
        read(11); // for 4, behind which 3 is set aside
        assertThat(pool.figures().framesScanned()).isEqualTo(3 + 2);
        assertThat(stalls()).isZero();
        assertThat(store.writes).isEmpty();
        assertResident(0, 1, 3, 5, 10, 11);
        change(5, 10, 11);
        read(12); // the region has 0, 1 and 3 no more, since they were used: 0 is the oldest
        assertThat(store.writes).containsExactly(0L);
    }

    @Test
    void flusherOfVanillaWritesFromTheTailAndFreesAsMuchAsItIsAllowed() throws Exception {
        ListPool list = openFlushing("vanilla", 3);
        change(0);
        read(1);
        change(2, 3);
        read(4, 5);
        await(() -> list.freeFrames() == 3);
        read(10, 11, 12);

        assertThat(stalls()).isZero();
        assertThat(pool.figures().framesScanned()).isZero();
        assertThat(changes(0) + changes(2)).isEqualTo(2);
    }

    @Test
    void fixedRateOfLruCWritesOnlyPagesOfTheDirtyRegion() throws Exception {
        ListPool list = openFlushing("lru-c", 2);
        change(0);
        read(1);
        change(2, 3, 4);
        read(5, 10); // for 1; 0 is set aside
        await(() -> list.freeFrames() == 1);
        read(11);

        assertThat(stalls()).isZero();
        assertThat(store.writes).containsExactly(0L);
    }

    @ParameterizedTest
    @ValueSource(strings = {"lru-c-batch", "lru-c-full"})
    void flusherWritesTheWholeRegionAtOnce(String name) throws Exception {
        open(name);
        store.permits.drainPermits();
        change(0, 1, 2, 3);
        read(4, 5);
        assertThat(store.writes).isEmpty();
        read(10); // for 4
        await(() -> store.inFlight.get() == 4);
        store.permits.release(MANY);
        await(() -> pool.figures().pagesWritten() == 4);
        read(11, 12, 13, 14);

        assertThat(stalls()).isZero();
    }

    @Test
    void failedWriteEndsTheRun() throws Exception {
        open("vanilla");
        change(0, 1, 2, 3, 4, 5);
        store.fails = true;

        assertThatThrownBy(() -> read(10)).isInstanceOf(IOException.class).hasMessage("scripted");
        assertThatThrownBy(() -> read(1)).isInstanceOf(IOException.class).hasMessage("scripted");
        assertThatThrownBy(pool::close).isInstanceOf(IOException.class).hasMessage("scripted");
        pool = null;
    }

    // --- many threads ------------------------------------------------------------------------------------------------

    static Stream<String> schemes() {
        return Scheme.possible().stream().map(name -> switch (name) {
            case "vanilla-best" -> "vanilla:9999";
            case "vanilla:N" -> "vanilla:50";
            case "lru-c:N" -> "lru-c:9999";
            case "pool:POLICY" -> "pool:lru";
            default -> name;
        });
    }

    @ParameterizedTest
    @MethodSource("schemes")
    void noChangeIsLostAndEachReadIsAMiss(String name) throws Exception {
        long seed = ThreadLocalRandom.current().nextLong();
        SimulatedSsd device = new SimulatedSsd(pages, new DeviceProfile(16, 20_000, 100_000, 0.1), seed);
        pool = ComparedPool.of(name, device, 40, 0.1);
        AtomicLongArray changes = new AtomicLongArray(PAGES);
        AtomicInteger misses = new AtomicInteger();
        List<Future<Void>> ends = new ArrayList<>();
        for (int thread = 0; thread < 8; thread++) {
            SplittableRandom random = new SplittableRandom(seed + thread);
            ends.add(start(() -> {
                for (int i = 0; i < 2_000; i++) {
                    int page = random.nextInt(1 + random.nextInt(PAGES)); // low numbers more often
                    boolean change = random.nextInt(3) == 0;
                    misses.addAndGet(pool.use(page, change) ? 1 : 0);
                    changes.addAndGet(page, change ? 1 : 0);
                }
                return null;
            }));
        }
        for (Future<Void> end : ends) {
            end.get();
        }
        pool.close();

        for (int page = 0; page < PAGES; page++) {
            assertThat(changes(page)).as("page %d, seed %d", page, seed).isEqualTo(changes.get(page));
        }
        assertThat((long) misses.get())
                .isGreaterThan(PAGES - 40)
                .isLessThanOrEqualTo(device.figures().reads());
    }

    @ParameterizedTest
    @ValueSource(strings = {"vanilla", "clock-c"})
    void wrongPageIsNotUsed(String name) throws Exception {
        pages.write(9, ByteBuffer.allocate(PAGE_BYTES).putLong(0, PageContent.of(10)));
        pool = ComparedPool.of(name, store, 20, 1);

        assertThatThrownBy(() -> read(9))
                .isInstanceOf(IOException.class)
                .hasMessage("page 9 has another content: that of page 10");
        if (name.equals("vanilla")) {
            assertThatThrownBy(pool::close).hasMessageContaining("page 9 has another content");
            pool = null;
        }
    }
}
