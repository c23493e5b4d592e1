// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc.pool;

import static io.clockhand.workbench.lruc.pool.ScriptedStore.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.workbench.lruc.pool.Scheme.Flush;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which page is the victim, and which misses are read stalls: one thread at a time. */
class ListPoolVictimsTest {
    private static final int PAGES = 100;
    private static final int FRAMES = 6;
    private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    private final ScriptedStore store = new ScriptedStore(PAGES);
    private final ExecutorService other = Executors.newCachedThreadPool();
    private ListPool pool;
    private ComparedPool.PageUser user;

    /** A scheme whose flusher does nothing, and whose failed scans are remembered. */
    private static Scheme tail(int scanDepth, int slots) {
        return new Scheme("tail", scanDepth, true, slots, Flush.TAIL, false, false, 0, MILLI, 8);
    }

    private void open(Scheme scheme) {
        pool = new ListPool(store, FRAMES, scheme);
        user = pool.newUser();
    }

    private void open(String name) {
        open(Scheme.of(name, FRAMES, 1).flushing(0));
    }

    @AfterEach
    void close() throws IOException {
        store.releaseWrites();
        pool.close();
        other.shutdown();
    }

    private void read(long... pages) throws IOException {
        for (long page : pages) {
            user.use(page, false);
        }
    }

    private void change(long... pages) throws IOException {
        for (long page : pages) {
            user.use(page, true);
        }
    }

    private Future<Boolean> useElsewhere(long page, boolean change) {
        return other.submit(() -> pool.newUser().use(page, change));
    }

    private long stalls() {
        return pool.figures().readStalls();
    }

    /** Uses the pages, which must be in memory. */
    private void assertResident(long... pages) throws IOException {
        for (long page : pages) {
            assertThat(user.use(page, false)).as("page %d is read", page).isFalse();
        }
    }

    @Test
    void useReportsWhetherThePageWasRead() throws IOException {
        open("vanilla");
        assertThat(user.use(1, false)).isTrue();
        assertThat(user.use(1, true)).isFalse();
        assertThat(pool.figures().misses()).isEqualTo(1);
        assertThat(store.reads).containsExactly(1L);
    }

    // --- tail --------------------------------------------------------------------------------------------------------

    @Test
    void cleanPageWithinTheScanIsTheVictim() throws IOException {
        open(tail(3, 0));
        change(0, 1);
        read(2, 3, 4, 5, 10);

        assertResident(0, 1, 3, 4, 5, 10);
        assertThat(store.writes).isEmpty();
        assertThat(stalls()).isZero();
        assertThat(pool.figures().framesScanned()).isEqualTo(3);
    }

    @Test
    void readerWritesThePageAtTheTailIfTheScanFails() throws IOException {
        open(tail(2, 0));
        change(0, 1);
        read(2, 3, 4, 5, 10);

        assertThat(store.writes).containsExactly(0L);
        assertThat(stalls()).isEqualTo(1);
        assertThat(store.changes(0)).isEqualTo(1);
        assertResident(1, 2, 3, 4, 5, 10);
    }

    @Test
    void failedScanIsRememberedUntilTheFlusherHasCleanedAPage() throws IOException {
        open(tail(2, 0));
        change(0, 1);
        read(2, 3, 4, 5, 10); // fails to find 2
        read(11);

        assertThat(store.writes).as("the page 2 is within the scan now").containsExactly(0L, 1L);
        assertThat(stalls()).isEqualTo(2);
        long scanned = pool.figures().framesScanned();
        read(12);
        assertThat(pool.figures().framesScanned() - scanned).isEqualTo(1);
        assertThat(stalls()).as("a clean page at the very tail is taken").isEqualTo(2);
        assertResident(3, 4, 5, 10, 11, 12);
    }

    @Test
    void flusherWritesFromTheTailAndFreesAsMuchAsItIsAllowed() throws IOException {
        open(tail(2, 0).flushing(3, MILLI));
        change(0);
        read(1);
        change(2, 3);
        read(4, 5);
        await(() -> pool.figures().pagesWritten() == 2);
        read(10, 11, 12);

        assertThat(stalls()).isZero();
        assertThat(pool.figures().framesScanned()).isZero();
        assertThat(store.changes(0) + store.changes(2)).isEqualTo(2);
    }

    @Test
    void cleanFirstWindowIsScannedAgainAndAgain() throws IOException {
        open(tail(1, 0).scanning(3));
        change(0, 1, 2);
        read(3, 4, 5, 10);
        assertThat(store.writes).containsExactly(0L);

        read(11); // 3 is the third from the tail now
        assertThat(store.writes).containsExactly(0L);
        assertThat(stalls()).isEqualTo(1);
        assertResident(1, 2, 4, 5, 10, 11);
    }

    @Test
    void cleanPageAtTheHeadIsFoundWithoutAStall() throws IOException {
        open("vanilla-no-stall");
        change(0, 1, 2, 3, 4);
        read(5, 10);
        assertThat(stalls()).isZero();
        assertResident(0, 1, 2, 3, 4, 10);
    }

    @ParameterizedTest
    @ValueSource(strings = {"vanilla", "vanilla-serial", "vanilla-no-stall", "cf-lru", "lru-c", "lru-c-full"})
    void readerStallsIfAllPagesAreDirty(String name) throws IOException {
        if (name.equals("lru-c-full")) {
            open(new Scheme(name, 1, false, 0, Flush.REGION, true, false, 0, MILLI, 8));
        } else {
            open(name);
        }
        change(0, 1, 2, 3, 4, 5);
        read(10);

        assertThat(stalls()).isEqualTo(1);
        assertThat(store.writes).containsExactly(0L);
        assertResident(1, 2, 3, 4, 5, 10);
    }

    @ParameterizedTest
    @ValueSource(strings = {"vanilla", "vanilla-serial"})
    void readersOfASerialSchemeWriteOneAfterTheOther(String name) throws Exception {
        int most = name.equals("vanilla-serial") ? 1 : 4;
        open(name);
        change(0, 1, 2, 3, 4, 5);
        store.holdWrites();
        List<Future<Boolean>> misses = new ArrayList<>();
        for (long page = 10; page < 14; page++) {
            misses.add(useElsewhere(page, false));
        }
        await(() -> pool.figures().framesScanned() == FRAMES + 1 + 2 + 3 + 4 && store.inFlight.get() == most);
        store.releaseWrites();
        for (Future<Boolean> miss : misses) {
            assertThat(miss.get()).isTrue();
        }

        assertThat(store.mostInFlight).hasValue(most);
        assertThat(stalls()).isEqualTo(4);
    }

    @Test
    void pageThatIsBeingWrittenCanBeUsed() throws Exception {
        open("vanilla");
        change(0, 1, 2, 3, 4, 5);
        store.holdWrites();
        Future<Boolean> miss = useElsewhere(10, false);
        await(() -> store.inFlight.get() == 1);
        assertResident(0);
        change(0);
        store.releaseWrites();
        assertThat(miss.get()).isTrue();

        assertResident(0);
        assertThat(store.writes).as("0 was used, so another page had to go").containsExactly(0L, 1L);
        pool.close();
        assertThat(store.changes(0)).isEqualTo(2);
    }

    // --- WAR ---------------------------------------------------------------------------------------------------------

    @Test
    void dirtyVictimIsReadFromItsSlotUntilItIsWritten() throws IOException {
        open(tail(1, 2));
        change(0, 0, 1, 2, 3, 4, 5);
        store.holdWrites();
        read(10);
        await(() -> store.inFlight.get() == 1);
        assertThat(stalls()).isZero();

        assertThat(user.use(0, true)).as("page 0 is read").isFalse();
        store.releaseWrites();
        await(() -> pool.figures().pagesWritten() == 2);
        pool.close();
        assertThat(store.changes(0)).isEqualTo(3);
        assertThat(store.reads).doesNotHaveDuplicates();
    }

    @Test
    void olderImageOfASlotNeverOverwritesANewerOne() throws IOException {
        open(tail(1, 32));
        change(0, 1, 2, 3, 4, 5);
        store.holdWrites();
        read(10);
        change(0); // from its slot
        read(11, 12);
        read(1, 2, 3, 4, 5);
        assertThat(store.writes.stream().filter(page -> page == 0))
                .as("writes of page 0")
                .hasSizeLessThan(2);
        store.releaseWrites();
        pool.close();
        assertThat(store.changes(0)).isEqualTo(2);
    }

    @Test
    void readerWaitsForASlotIfNoneIsFree() throws Exception {
        open(tail(1, 2));
        change(0, 1, 2, 3, 4, 5);
        store.holdWrites();
        read(10, 11);
        assertThat(stalls()).isZero();
        Future<Boolean> third = useElsewhere(12, false);
        long scanned = pool.figures().framesScanned();
        await(() -> pool.figures().framesScanned() > scanned);
        assertThat(third.isDone()).isFalse();
        store.releaseWrites();

        assertThat(third.get()).isTrue();
        assertThat(stalls()).isEqualTo(1);
    }

    // --- LRU-C -------------------------------------------------------------------------------------------------------

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void leastRecentlyUsedCleanPageIsTheVictim(boolean twoMutexes) throws IOException {
        open(new Scheme("lru-c", 1, false, 0, Flush.REGION, twoMutexes, false, 0, MILLI, 8));
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
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void pageOfTheDirtyRegionThatIsUsedLeavesIt(boolean twoMutexes) throws IOException {
        open(new Scheme("lru-c", 1, false, 0, Flush.REGION, twoMutexes, false, 0, MILLI, 8));
        change(0, 1, 2);
        read(3, 4, 5, 10); // for 3; 0, 1 and 2 are set aside
        assertResident(0);
        change(4, 5, 10);
        read(11); // nothing is clean: 1 is written

        assertThat(store.writes).containsExactly(1L);
        assertThat(stalls()).isEqualTo(1);
        assertResident(0, 2, 4, 5, 10, 11);
    }

    @Test
    void flusherWritesOnlyPagesOfTheDirtyRegion() throws IOException {
        open(new Scheme("lru-c", 1, false, 0, Flush.REGION, false, false, 2, MILLI, 8));
        change(0);
        read(1);
        change(2, 3, 4);
        read(5, 10); // for 1; 0 is set aside
        await(() -> pool.figures().pagesWritten() == 1);
        await(() -> store.changes(0) == 1);
        read(11); // in the frame of 0

        assertThat(stalls()).isZero();
        assertThat(store.writes).containsExactly(0L);
        assertResident(2, 3, 4, 5, 10, 11);
    }

    @ParameterizedTest
    @ValueSource(strings = {"lru-c-batch", "lru-c-full"})
    void flusherWritesTheWholeRegionAtOnce(String name) throws IOException {
        open(name);
        store.holdWrites();
        change(0, 1, 2, 3);
        read(4, 5);
        assertThat(store.writes).isEmpty();
        read(10); // for 4
        await(() -> store.inFlight.get() == 4);
        store.releaseWrites();
        await(() -> pool.figures().pagesWritten() == 4);
        read(11, 12, 13, 14);

        assertThat(stalls()).isZero();
        assertThat(pool.figures().batches()).isBetween(1L, 4L);
        assertResident(5, 10, 11, 12, 13, 14);
    }
}
