// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.LatchMode;
import io.clockhand.NoSuchPageException;
import io.clockhand.PageId;
import io.clockhand.io.FilePageStore;
import io.clockhand.io.PageStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * 64 threads fix, read ahead, create, cut off and drop the pages of three files at random, one of them on the disk; reads, creations and cuts of
 * the other two fail now and then, and threads are interrupted. The pages of a new file are stamped, those that are created are zeros: a
 * page that was cut off and comes back is seen, and so is one of a dropped file. {@code -Dclockhand.pool.seconds=600} runs longer.
 */
class FileLifeLoadTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int SECONDS = Integer.getInteger("clockhand.pool.seconds", 2);
    private static final int THREADS = 64;
    private static final int FRAMES = 200;
    private static final int PAGES = 400;
    private static final int FILES = 3;

    @TempDir
    private Path folder;

    /** A file and what is known of it. */
    private static final class Life {
        final int salt;
        final int number;
        final PageStore store;
        /** Pages from here on may have been cut off: lowered before a cut. */
        final AtomicLong begun = new AtomicLong(PAGES);
        /** Pages from here on were cut off, and are zeros if they are there: lowered after a cut. */
        final AtomicLong completed = new AtomicLong(PAGES);

        final AtomicBoolean dropping = new AtomicBoolean();
        /** Set after a drop. */
        volatile boolean dropped;

        Life(int salt, int number, PageStore store) {
            this.salt = salt;
            this.number = number;
            this.store = store;
        }
    }

    private final class Run {
        final BufferPool pool;
        final long seed = System.nanoTime();
        final long deadline = System.nanoTime() + SECONDS * 1_000_000_000L;
        final AtomicReferenceArray<Life> files = new AtomicReferenceArray<>(FILES);
        final AtomicReference<Throwable> wrong = new AtomicReference<>();
        final AtomicLong tooLate = new AtomicLong();
        final AtomicLong right = new AtomicLong();
        final AtomicLong gone = new AtomicLong();
        final AtomicLong failed = new AtomicLong();
        final AtomicLong created = new AtomicLong();
        final AtomicLong cuts = new AtomicLong();
        final AtomicLong drops = new AtomicLong();
        final AtomicLong salts = new AtomicLong();

        Run(PageTableKind table, PageIn pageIn, String policy) throws IOException {
            pool = BufferPool.builder()
                    .pageBytes(StampedStore.PAGE_BYTES)
                    .frames(FRAMES)
                    .table(table)
                    .pageIn(pageIn)
                    .policy(policy)
                    .exhaustedAfter(PATIENCE)
                    .waitTimeout(PATIENCE)
                    .build();
            for (int file = 0; file < FILES; file++) {
                begin(file);
            }
        }

        private void begin(int file) throws IOException {
            int salt = (int) salts.incrementAndGet() & 0xF_FFFF;
            PageStore store = file == 0 ? onDisk(salt) : faulty(salt);
            files.set(file, new Life(salt, pool.open(store), store));
        }

        private PageStore onDisk(int salt) throws IOException {
            FilePageStore store = FilePageStore.open(folder.resolve("on-disk.db"), StampedStore.PAGE_BYTES);
            ByteBuffer bytes = ByteBuffer.allocate(StampedStore.PAGE_BYTES);
            for (int page = 0; page < PAGES; page++) {
                bytes.clear();
                StampedStore.fill(bytes, 0, StampedStore.stamp(salt, page), 0);
                store.write(page, bytes.flip());
            }
            return store;
        }

        private StampedStore faulty(int salt) {
            StampedStore store = new StampedStore(salt, PAGES);
            AtomicLong calls = new AtomicLong();
            StampedStore.Hook now = page ->
                    calls.incrementAndGet() * 31 % 211 == 1 ? StampedStore.Outcome.FAILED : StampedStore.Outcome.GOOD;
            store.beforeRead(now);
            store.beforeWrite(now);
            store.beforeTruncate(pages ->
                    calls.incrementAndGet() % 7 == 1 ? StampedStore.Outcome.FAILED : StampedStore.Outcome.GOOD);
            return store;
        }

        private boolean isOver() {
            return wrong.get() != null || System.nanoTime() > deadline;
        }

        void work(int thread) {
            SplittableRandom random = new SplittableRandom(seed + thread);
            try (OptimisticPage reader = pool.newOptimisticPage()) {
                PageGuard guard = pool.newGuard();
                while (!isOver()) {
                    int file = random.nextInt(FILES);
                    Life life = files.get(file);
                    boolean dropped = life.dropped;
                    try {
                        step(random, file, life, guard, reader);
                        right.incrementAndGet();
                    } catch (NoSuchPageException e) {
                        gone.incrementAndGet();
                    } catch (IOException e) {
                        expect(
                                e.getMessage().contains("of stamped")
                                        || e.getMessage().contains("stamped to"),
                                e);
                        failed.incrementAndGet();
                    } catch (IllegalArgumentException | IllegalStateException e) {
                        expect(isRefusal(e, dropped || life.dropping.get()), e);
                        gone.incrementAndGet();
                    }
                }
            } catch (Throwable e) {
                wrong.compareAndSet(null, e);
            } finally {
                Thread.interrupted();
            }
        }

        private boolean isRefusal(RuntimeException e, boolean dropped) {
            String message = e.getMessage();
            return (dropped && message.endsWith("was dropped"))
                    || message.contains("call truncate again")
                    || message.contains("cannot be cut off behind");
        }

        private void expect(boolean holds, Exception e) throws IOException {
            if (!holds) {
                throw new IOException("unexpected: " + e, e);
            }
        }

        private void step(SplittableRandom random, int file, Life life, PageGuard guard, OptimisticPage reader)
                throws IOException {
            int kind = random.nextInt(1_000);
            long pages = Math.max(1, pool.pages(life.number));
            long page = random.nextLong(pages + 2);
            long id = PageId.of(life.number, page);
            if (kind < 350) {
                LatchMode mode = kind < 250 ? LatchMode.SHARED : kind < 300 ? LatchMode.UPDATE : LatchMode.EXCLUSIVE;
                fix(guard, id, mode, life);
            } else if (kind < 550) {
                readOptimistically(reader, id, life);
            } else if (kind < 850) {
                create(life);
            } else if (kind < 980) {
                Prefetch ahead = pool.prefetch(id, 1 + random.nextInt(16));
                if (kind < 900) {
                    ahead.cancel();
                }
            } else if (kind < 998) {
                truncate(life, random.nextLong(pages + 1));
            } else {
                drop(file, life);
            }
        }

        private void fix(PageGuard guard, long id, LatchMode mode, Life life) throws IOException {
            boolean dropped = life.dropped;
            long completed = life.completed.get();
            try (PageGuard own = guard.fix(id, mode)) {
                check(own, id, life, completed, dropped);
            }
        }

        private void readOptimistically(OptimisticPage reader, long id, Life life) throws IOException {
            boolean dropped;
            boolean stamped;
            boolean zero;
            long completed;
            long begun;
            do {
                dropped = life.dropped;
                completed = life.completed.get();
                reader.read(id);
                stamped = StampedStore.isRight(reader, life.salt, PageId.page(id));
                zero = StampedStore.isZero(reader);
                begun = life.begun.get();
            } while (!reader.validate());
            check(id, stamped, zero, begun, completed, dropped);
        }

        private void check(PageView view, long id, Life life, long completed, boolean dropped) {
            boolean stamped = StampedStore.isRight(view, life.salt, PageId.page(id));
            boolean zero = StampedStore.isZero(view);
            check(id, stamped, zero, life.begun.get(), completed, dropped);
        }

        private void check(long id, boolean stamped, boolean zero, long begun, long completed, boolean dropped) {
            long page = PageId.page(id);
            if (dropped || (stamped ? page >= completed : !zero || page < begun)) {
                throw new AssertionError("page " + page + " is " + (stamped ? "stamped" : zero ? "zero" : "torn")
                        + (dropped ? ", and of a dropped file" : "") + "; cut off from " + begun + " to " + completed);
            }
        }

        private void create(Life life) throws IOException {
            boolean dropped = life.dropped;
            try (PageGuard page = pool.create(life.number)) {
                if (dropped || !StampedStore.isZero(page)) {
                    throw new AssertionError("page " + page + " was created, but is not zero, or its file was dropped");
                }
                created.incrementAndGet();
            }
        }

        private void truncate(Life life, long keep) throws IOException {
            life.begun.accumulateAndGet(keep, Math::min);
            pool.truncate(life.number, keep);
            life.completed.accumulateAndGet(keep, Math::min);
            cuts.incrementAndGet();
        }

        private void drop(int file, Life life) throws IOException {
            if (life.dropping.compareAndSet(false, true)) {
                pool.drop(life.number);
                life.dropped = true;
                drops.incrementAndGet();
                if (life.store instanceof StampedStore stamped) {
                    tooLate.addAndGet(stamped.tooLate.get());
                }
                begin(file);
            }
        }

        void run() throws Exception {
            new Crowd(Thread::new, seed, deadline).run(THREADS, this::work);
            if (wrong.get() != null) {
                throw new AssertionError("seed " + seed + ": " + wrong.get(), wrong.get());
            }
            for (int file = 0; file < FILES; file++) {
                drop(file, files.get(file));
            }
            assertThat(pool.stats().pinned()).isZero();
            assertThat(pool.stats().free()).isEqualTo(FRAMES);
            pool.checkIntegrity();
            assertThat(tooLate).as("calls of closed stores").hasValue(0);
            for (AtomicLong figure : new AtomicLong[] {right, gone, failed, created, cuts, drops}) {
                assertThat(figure).hasPositiveValue();
            }
            System.out.printf(
                    "%,d steps, %,d pages gone, %,d injected failures, %,d pages created, %,d cuts, %,d drops%n",
                    right.get(), gone.get(), failed.get(), created.get(), cuts.get(), drops.get());
            pool.close();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "CHAINED, COALESCED, nb-gclock3",
        "CHAINED, OPTIMISTIC, bp:lirs",
        "CHAINED, OPTIMISTIC, buffered:2q",
        "NON_BLOCKING_HASH_MAP, BLOCKING, lru"
    })
    void nothingThatIsGoneComesBack(PageTableKind table, PageIn pageIn, String policy) throws Exception {
        new Run(table, pageIn, policy).run();
    }
}
