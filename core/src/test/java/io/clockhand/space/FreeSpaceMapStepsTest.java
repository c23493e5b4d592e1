// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.io.MemoryPageStore;
import io.clockhand.page.BufferPool;
import io.clockhand.page.PageGuard;
import io.clockhand.page.PagedFile;
import io.clockhand.testing.Gate;
import io.clockhand.testing.Pools;
import io.clockhand.testing.Workers;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A map as other threads see it while one stands in the log, in the middle of an allocation or of a growth. */
class FreeSpaceMapStepsTest {
    private static final int PAGE_BYTES = 512;
    private static final int ROWS = PAGE_BYTES - 128;
    private static final int LSN = 56;

    @RegisterExtension
    private final Workers workers = new Workers();

    private final StoppingLog log = new StoppingLog();
    private BufferPool pool;
    private PagedFile file;
    private FreeSpaceMap map;

    @BeforeEach
    void open() throws IOException {
        pool = Pools.builder()
                .pageBytes(PAGE_BYTES)
                .frames(16)
                .lsnOffset(LSN)
                .sharedUpdates(file -> true)
                .waitTimeout(Duration.ofMinutes(2))
                .tuning(t -> t.flushThreads(0))
                .build();
        file = pool.open(1, new MemoryPageStore("space", PAGE_BYTES));
        map = FreeSpaceMap.open(pool, file, log);
    }

    @AfterEach
    void close() throws IOException {
        pool.checkIntegrity();
        pool.close();
    }

    private List<Long> allocate(int count) throws IOException {
        List<Long> pages = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            pages.add(map.allocate());
        }
        return pages;
    }

    // --- an allocation -----------------------------------------------------------------------------------------------

    /** {@return two pages behind one, of which a thread cannot reserve the one while the other is reserved} */
    private static long[] pagesOfOneReservation(long from) {
        for (long first = from; first < ROWS; first++) {
            Reservations reservations = new Reservations();
            reservations.tryReserve(first);
            for (long second = first + 1; second < ROWS; second++) {
                if (!reservations.tryReserve(second)) {
                    return new long[] {first, second};
                }
                reservations.release(second);
            }
        }
        throw new AssertionError("no two of " + ROWS + " pages share a reservation");
    }

    /**
     * A thread stands in the log, and has one of two free pages reserved. A second one can reserve neither, so it lets
     * the map grow. Each free page is found later.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void pageThatASearchLeavesToAnotherThreadIsFoundLater(boolean failsToAppend) throws IOException {
        allocate(ROWS);
        long before = 150;
        long[] pages = pagesOfOneReservation(before + 1);
        map.free(before);
        Gate allocated = new Gate();
        Gate append = new Gate();
        Workers.Worker<Long> first = workers.start(() -> {
            assertThat(map.allocate()).as("the only free page").isEqualTo(before);
            allocated.pass();
            Thread stopped = Thread.currentThread();
            log.beforeChange = page -> {
                if (Thread.currentThread().equals(stopped)) {
                    append.pass();
                    if (failsToAppend) {
                        throw new IOException("injected");
                    }
                }
            };
            return map.allocate(); // goes on behind its last page, and so does not search the whole page of the map
        });
        allocated.awaitReached();
        map.free(pages[0]);
        map.free(pages[1]);
        allocated.open();
        append.awaitReached();

        assertThat(workers.start(() -> map.allocate()).result())
                .as("no page that another thread is allocating")
                .isGreaterThanOrEqualTo(ROWS);
        append.open();
        Set<Long> expected = new HashSet<>(Set.of(pages[0], pages[1]));
        if (failsToAppend) {
            assertThat(first.failure()).isInstanceOf(IOException.class);
        } else {
            expected.remove(first.result());
        }
        List<Long> found = allocate(ROWS - 1 + expected.size());
        found.retainAll(expected);
        assertThat(found)
                .as("the free pages that another thread was about to allocate")
                .containsExactlyInAnyOrderElementsOf(expected);
        assertThat(map.mapPages()).as("pages of the map").isEqualTo(2);
    }

    /** The search that is made in vain before the byte has changed must not hide the page from later ones. */
    @Test
    void roomThatAppearsAfterASearchInVainIsFoundLater() throws IOException {
        map.setFullness(map.allocate(), Fullness.FULL);
        List<Long> found = new ArrayList<>();
        log.beforeChange = page -> {
            log.beforeChange = other -> {};
            found.add(workers.start(() -> map.findRoom(Fullness.UNDER_50)).result());
        };
        map.setFullness(0, Fullness.EMPTY);
        found.add(map.findRoom(Fullness.UNDER_50));
        assertThat(found).as("what searches find before and after the change").containsExactly(FreeSpaceMap.NONE, 0L);
    }

    @Test
    void freePageThatAppearsAfterASearchInVainIsFoundLater() throws IOException {
        allocate(ROWS);
        log.beforeChange = page -> {
            log.beforeChange = other -> {};
            workers.start(() -> map.allocate()).result(); // finds none, so the map grows
        };
        map.free(7);
        assertThat(allocate(ROWS)).as("free pages").contains(7L);
        assertThat(map.mapPages()).as("pages of the map").isEqualTo(2);
    }

    @Test
    void allocatedPageHasRoomForSearchesThatFoundNone() throws IOException {
        map.setFullness(map.allocate(), Fullness.FULL);
        assertThat(map.findRoom(Fullness.UNDER_50)).isEqualTo(FreeSpaceMap.NONE);
        long page = map.allocate();
        assertThat(map.findRoom(Fullness.UNDER_50)).as("a page with room").isEqualTo(page);
    }

    @Test
    void reservationThatIsHeldKeepsOthersOut() {
        Reservations reservations = new Reservations();
        for (long page : new long[] {0, 7, 1L << 40}) {
            assertThat(reservations.tryReserve(page))
                    .as("page %d is not reserved", page)
                    .isTrue();
            assertThat(reservations.tryReserve(page))
                    .as("page %d is reserved", page)
                    .isFalse();
            reservations.release(page);
            assertThat(reservations.tryReserve(page))
                    .as("page %d is not reserved", page)
                    .isTrue();
            reservations.release(page);
        }
    }

    // --- a growth ----------------------------------------------------------------------------------------------------

    @Test
    void oneOfTwoThreadsThatFindTheMapFullLetsItGrow() throws IOException {
        allocate(ROWS);
        Gate creation = new Gate();
        log.beforeCreation = mapPage -> creation.pass();
        Workers.Worker<Long> first = workers.start(() -> map.allocate());
        creation.awaitReached();
        Workers.Worker<Long> second = workers.start(() -> map.allocate());
        second.awaitParked();
        assertThat(map.mapPages())
                .as("a page whose creation is not logged does not count")
                .isEqualTo(1);
        creation.open();
        Workers.await(() -> first.isDone() && second.isDone(), "a thread that found the map full does not end");
        assertThat(log.creations).as("records of creations").containsExactly("map page 0", "map page 1");
        assertThat(List.of(first.result(), second.result()))
                .as("data pages")
                .doesNotHaveDuplicates()
                .allMatch(page -> page >= ROWS);
    }

    @Test
    void nextCreationReplacesThePageOfOneThatHasFailed() throws IOException {
        log.beforeCreation = mapPage -> {
            throw new IOException("injected");
        };
        assertThatThrownBy(() -> map.allocate()).hasMessage("injected");
        log.beforeCreation = mapPage -> {};
        map.allocate();
        assertThat(map.mapPages()).isEqualTo(1);
        assertThat(file.pages()).as("pages of the file").isEqualTo(1);
        try (PageGuard page = pool.fix(file.id(0))) {
            assertThat(page.getLong(LSN))
                    .as("the LSN of the page that the record names")
                    .isEqualTo(log.lsn.get());
        }
    }

    // --- redo --------------------------------------------------------------------------------------------------------

    private void recover(long mapPages) throws IOException {
        map = FreeSpaceMap.recover(pool, file, log, mapPages);
    }

    private void redo(long lsn, long page, int bits) throws IOException {
        map.redo(lsn, page, 0xFF, bits);
    }

    @Test
    void redoRepeatsWhatThePageOfTheMapLacks() throws IOException {
        allocate(3);
        long last = log.lsn.get();
        recover(1);
        redo(last, 0, 0);
        assertThat(map.get(0)).as("the page has the change already").hasToString("allocated, EMPTY");
        redo(last + 1, 0, 0);
        assertThat(map.get(0)).hasToString("not allocated");
        redo(last + 2, ROWS - 1, PageSpace.ALLOCATED);
        assertThat(map.get(ROWS - 1)).hasToString("allocated, EMPTY");
        map.redo(last + 3, 1, PageSpace.GHOSTS, PageSpace.GHOSTS);
        assertThat(map.get(1)).as("other bits stay").hasToString("allocated, EMPTY, ghosts");
        map.redo(last + 2, 1, PageSpace.GHOSTS, 0);
        assertThat(map.get(1)).as("the LSN is that of the last record").hasToString("allocated, EMPTY, ghosts");
        assertThatThrownBy(() -> redo(last + 4, ROWS, 0))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("redoCreation must come before");
    }

    @Test
    void redoOfACreationClearsThePageUnlessItIsNewer() throws IOException {
        allocate(ROWS + 2);
        long last = log.lsn.get();
        recover(2);
        map.redoCreation(last, 1);
        assertThat(map.get(ROWS + 1)).as("changed after the creation").hasToString("allocated, EMPTY");
        map.redoCreation(last + 1, 1);
        assertThat(map.get(ROWS)).as("a page that was truncated").hasToString("not allocated");
        assertThat(map.get(ROWS + 1)).hasToString("not allocated");
        assertThat(map.get(ROWS - 1)).as("a page of another page of the map").hasToString("allocated, EMPTY");
        map.redoCreation(1, 0);
        assertThat(map.mapPages()).as("pages of the map").isEqualTo(2);
        map.redoCreation(last + 2, 2);
        assertThat(map.mapPages()).as("pages of the map").isEqualTo(3);
        assertThat(map.pages()).isEqualTo(3 * ROWS);
    }

    @Test
    void searchesFindWhatRedoHasChanged() throws IOException {
        allocate(2 * ROWS);
        recover(2);
        allocate(1);
        assertThat(map.mapPages()).as("two pages of the map are full").isEqualTo(3);
        for (long page = 0; page <= 2 * ROWS; page++) {
            map.setFullness(page, Fullness.FULL);
        }
        assertThat(map.findRoom(Fullness.UNDER_95)).isEqualTo(FreeSpaceMap.NONE);

        redo(log.lsn.incrementAndGet(), 7, 0);
        int fullness = Fullness.UNDER_50.number() << PageSpace.FULLNESS_SHIFT;
        redo(log.lsn.incrementAndGet(), 9, PageSpace.ALLOCATED | fullness);

        assertThat(map.findRoom(Fullness.UNDER_50)).as("a page with room").isEqualTo(9);
        assertThat(allocate(ROWS)).as("free pages").contains(7L);
        assertThat(map.mapPages()).as("pages of the map").isEqualTo(3);
    }
}
