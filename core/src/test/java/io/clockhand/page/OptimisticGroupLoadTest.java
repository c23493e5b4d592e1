// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.PageId;
import io.clockhand.io.MemoryPageStore;
import io.clockhand.testing.Pools;
import io.clockhand.testing.Tier;
import io.clockhand.testing.Workers;
import java.io.IOException;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Threads read groups of random pages, prefetch others, and write, over four times the pool. Every number of a page
 * holds the page and how often it was written, so a torn or foreign page is seen, and one that is older than before.
 * They go on until a group had to be read again. {@code -Dclockhand.pool.seconds=600} runs longer.
 */
class OptimisticGroupLoadTest {
    private static final int STEPS = Tier.pick(800, 30_000, 300_000);
    private static final int PAGE_BYTES = 512;
    private static final int FRAMES = 24;
    private static final int PAGES = 96;
    private static final int READERS = 5;
    private static final int WRITERS = 3;
    private static final int CAPACITY = 12;

    private final Crowd crowd = new Crowd(STEPS).until(this::hasRepeated);
    private final AtomicLong groups = new AtomicLong();
    private final AtomicLong repeated = new AtomicLong();
    private final AtomicInteger mostRounds = new AtomicInteger();

    private boolean hasRepeated() {
        return repeated.get() > 0;
    }

    private static long number(long page, long writes) {
        return page << 32 | writes;
    }

    /** {@return the number that fills the page, or −1 if it is torn} */
    private static long numberIn(PageView page) {
        long number = page.getLong(0);
        boolean whole = true;
        for (int at = Long.BYTES; at < PAGE_BYTES; at += Long.BYTES) {
            whole &= page.getLong(at) == number;
        }
        return whole ? number : -1;
    }

    private final class Reader {
        private final BufferPool pool;
        private final SplittableRandom random;
        private final OptimisticGroup group;
        private final long[] ids = new long[CAPACITY];
        private final long[] numbers = new long[CAPACITY];
        private final long[] least = new long[PAGES];

        Reader(BufferPool pool, SplittableRandom random) {
            this.pool = pool;
            this.random = random;
            this.group = pool.newOptimisticGroup(CAPACITY);
        }

        void run() throws Exception {
            crowd.repeat(() -> {
                int count = 1 + random.nextInt(CAPACITY);
                for (int i = 0; i < count; i++) {
                    ids[i] = PageId.of(0, Math.min(random.nextInt(PAGES), random.nextInt(PAGES)));
                }
                if (random.nextInt(50) == 0) {
                    pool.prefetch(ids);
                }
                read(count);
                for (int i = 0; i < count; i++) {
                    check(PageId.page(ids[i]), numbers[i]);
                }
                groups.getAndIncrement();
            });
            group.close();
        }

        private void read(int count) throws IOException {
            int rounds = 0;
            do {
                group.read(ids, 0, count);
                for (int i = 0; i < count; i++) {
                    numbers[i] = numberIn(group.page(i));
                }
                rounds++;
            } while (!group.validate());
            repeated.addAndGet(rounds - 1);
            mostRounds.accumulateAndGet(rounds, Math::max);
        }

        private void check(long page, long number) {
            if (number < number(page, 0) || number >= number(page + 1, 0)) {
                throw new AssertionError("page " + page + " has " + Long.toHexString(number));
            }
            if (number < least[(int) page]) {
                throw new AssertionError("page " + page + " is older than before");
            }
            least[(int) page] = number;
        }
    }

    private void write(BufferPool pool, SplittableRandom random) throws Exception {
        crowd.repeat(() -> {
            try (WritablePage page = pool.fixExclusive(PageId.of(0, random.nextInt(PAGES)))) {
                long number = numberIn(page) + 1;
                page.beginUpdate();
                for (int at = 0; at < PAGE_BYTES; at += Long.BYTES) {
                    page.putLong(at, number);
                }
                page.endUnloggedUpdate();
            }
        });
    }

    @ParameterizedTest
    @CsvSource({
        "CHAINED, COALESCED, nb-gclock3",
        "CHAINED, OPTIMISTIC, nb-gclock3",
        "NON_BLOCKING_HASH_MAP, COALESCED, nb-gclock3",
        "CHAINED, COALESCED, lru"
    })
    void noTornOrForeignOrOldPageIsAccepted(PageTableKind table, PageIn pageIn, String policy) throws Exception {
        BufferPool pool = Pools.builder()
                .pageBytes(PAGE_BYTES)
                .frames(FRAMES)
                .policy(policy)
                .tuning(t -> t.table(table).pageIn(pageIn))
                .build();
        PagedFile file = pool.open(0, new MemoryPageStore("memory", PAGE_BYTES));
        for (int page = 0; page < PAGES; page++) {
            try (WritablePage created = file.create()) {
                created.beginUpdate();
                for (int at = 0; at < PAGE_BYTES; at += Long.BYTES) {
                    created.putLong(at, number(page, 0));
                }
                created.endUnloggedUpdate();
            }
        }
        crowd.run(Thread::new, READERS + WRITERS, (thread, random) -> {
            if (thread < READERS) {
                new Reader(pool, random).run();
            } else {
                write(pool, random);
            }
        });
        assertThat(groups.get()).isGreaterThan(READERS);
        assertThat(repeated).hasPositiveValue();
        assertThat(mostRounds.get()).isBetween(2, OptimisticGroup.TRIES + 1);
        Workers.await(() -> pool.stats().pinned() == 0, "a page stays pinned"); // the flusher pins what it writes
        pool.close();
    }
}
