// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.NoSuchPageException;
import io.clockhand.PageId;
import io.clockhand.io.FileOption;
import io.clockhand.io.FilePageStore;
import io.clockhand.testing.Pools;
import io.clockhand.testing.Tier;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Many threads fix, create and read pages of three files at random, over ten times the pool; reads fail, come short,
 * and threads are interrupted, and pages cannot be created. Every page says which it is, of which file and by which
 * read, so a wrong byte is seen. {@code -Dclockhand.pool.seconds=600} runs longer.
 */
class BufferPoolLoadTest {
    /**
     * Among ten thousand runnable threads, one that yields runs again many seconds later, even if it holds the lock of
     * a file.
     */
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private static final int STEPS = Tier.pick(250, 4_000, 40_000);
    private static final int STEPS_OF_MANY = Tier.pick(5, 30, 300);
    private static final int FRAMES = 200;
    private static final int PAGES = 1_000;
    private static final int FILES = 3;

    @TempDir
    private Path folder;

    /** A file of stamped pages and two stamped stores, whose reads fail and come short. */
    private final class Run {
        final BufferPool pool;
        final PagedFile[] files = new PagedFile[FILES];
        final AtomicLong failed = new AtomicLong();
        final Crowd crowd;

        Run(PageTableKind table, PageIn pageIn, int stepsEach) throws IOException {
            crowd = new Crowd(stepsEach).until(() -> failed.get() > 0);
            Path file = folder.resolve(table + "-" + pageIn + ".db");
            try (FilePageStore store = FilePageStore.open(file, StampedStore.PAGE_BYTES, FileOption.CREATE)) {
                ByteBuffer bytes = ByteBuffer.allocate(StampedStore.PAGE_BYTES);
                for (int page = 0; page < PAGES; page++) {
                    bytes.clear();
                    StampedStore.fill(bytes, 0, StampedStore.stamp(0, page), 0);
                    store.write(page, bytes.flip());
                }
            }
            pool = Pools.builder()
                    .pageBytes(StampedStore.PAGE_BYTES)
                    .frames(FRAMES)
                    .tuning(t -> t.table(table).pageIn(pageIn))
                    .exhaustedAfter(PATIENCE)
                    .waitTimeout(PATIENCE)
                    .build();
            files[0] = pool.open(0, file);
            for (int i = 1; i < FILES; i++) {
                files[i] = pool.open(i, faulty(i));
            }
        }

        private StampedStore faulty(int number) {
            StampedStore store = new StampedStore(number, PAGES);
            store.beforeWrite(page -> page % 7 == 3 ? StampedStore.Outcome.FAILED : StampedStore.Outcome.GOOD);
            AtomicLong reads = new AtomicLong();
            store.beforeRead(page -> switch ((int) (reads.incrementAndGet() * 31 % 211)) {
                case 1 -> StampedStore.Outcome.FAILED;
                case 2 -> number == 1 ? StampedStore.Outcome.SHORT : StampedStore.Outcome.GOOD;
                default -> StampedStore.Outcome.GOOD;
            });
            return store;
        }

        /** The work of one thread. */
        private void work(SplittableRandom random) throws Exception {
            PageGuard guard = pool.newGuard();
            try (OptimisticPage optimistic = pool.newOptimisticPage()) {
                crowd.repeat(() -> {
                    PagedFile file = files[random.nextInt(FILES)];
                    long created = file.pages() - PAGES;
                    long page = random.nextInt(10) == 0 && created > 0
                            ? PAGES + random.nextLong(created)
                            : Math.min(random.nextInt(PAGES), random.nextInt(PAGES));
                    try {
                        step(random.nextInt(1000), file, page, guard, optimistic);
                    } catch (IOException e) {
                        if (!e.getMessage().contains("of stamped")) {
                            throw e;
                        }
                        failed.incrementAndGet();
                    } catch (NoSuchPageException e) {
                        if (!e.getMessage().contains("could not be written when it was created")) {
                            throw e;
                        }
                        failed.incrementAndGet();
                    }
                });
            }
        }

        private void step(int kind, PagedFile file, long page, PageGuard guard, OptimisticPage optimistic)
                throws IOException {
            long id = file.id(page);
            if (kind < 450) {
                boolean good;
                do {
                    optimistic.read(id);
                    good = isRight(optimistic, file, page);
                } while (!optimistic.validateAndRelease());
                expect(good, page);
            } else if (kind < 900) {
                try (PageGuard own = kind < 800 ? guard.fix(id) : guard.fixUpgradable(id)) {
                    expect(isRight(own, file, page), page);
                    if (kind >= 850) {
                        try (WritablePage upgraded = own.upgrade()) {
                            expect(isRight(upgraded, file, page), page);
                        }
                    }
                }
            } else if (kind < 995) {
                try (WritablePage fresh = pool.fixExclusive(id)) {
                    expect(isRight(fresh, file, page), page);
                }
            } else {
                create(file);
            }
        }

        private void create(PagedFile file) throws IOException {
            try (WritablePage created = file.create()) {
                assertThat(PageId.page(created.id())).isGreaterThanOrEqualTo(PAGES);
                assertThat(created.getLong(0)).isZero();
                assertThat(created.getLong(StampedStore.PAGE_BYTES - Long.BYTES))
                        .isZero();
            }
        }

        private boolean isRight(PageView view, PagedFile file, long page) {
            return page < PAGES
                    ? StampedStore.isRight(view, file.number(), page)
                    : view.getLong(0) == 0 && view.getLong(StampedStore.PAGE_BYTES - Long.BYTES) == 0;
        }

        private void expect(boolean holds, long page) {
            if (!holds) {
                throw new AssertionError("page " + page + " has wrong bytes");
            }
        }

        void run(ThreadFactory factory, int threads) throws Exception {
            crowd.run(factory, threads, (thread, random) -> work(random));
            assertThat(pool.stats().pinned()).isZero();
            pool.checkIntegrity();
            pool.close();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "CHAINED, OPTIMISTIC",
        "CHAINED, COALESCED",
        "NON_BLOCKING_HASH_MAP, OPTIMISTIC",
        "NON_BLOCKING_HASH_MAP, COALESCED",
        "ARRAY, OPTIMISTIC",
        "CHAINED, BLOCKING"
    })
    void noWrongByteNoLeakNoHang(PageTableKind table, PageIn pageIn) throws Exception {
        new Run(table, pageIn, STEPS).run(Thread::new, 64);
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    void noWrongByteNoLeakNoHangFromVirtualThreads() throws Exception {
        Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
        ThreadFactory virtual = (ThreadFactory)
                Class.forName("java.lang.Thread$Builder").getMethod("factory").invoke(builder);
        for (PageIn pageIn : PageIn.values()) {
            new Run(PageTableKind.CHAINED, pageIn, STEPS_OF_MANY).run(virtual, Tier.pick(1_000, 10_000, 10_000));
        }
    }
}
