// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.FileBeingTruncatedException;
import io.clockhand.LatchMode;
import io.clockhand.NoSuchPageException;
import io.clockhand.PageId;
import io.clockhand.io.FileOption;
import io.clockhand.io.FilePageStore;
import io.clockhand.io.PageStore;
import io.clockhand.testing.Pools;
import io.clockhand.testing.Tier;
import io.clockhand.testing.Workers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * 64 threads fix, prefetch and create pages of three files at random, truncate and drop the files, and open others
 * under the same numbers. One file is on the disk; reads, creations and truncations of the other two fail now and then,
 * and threads are interrupted. The pages of a new file have the stamp of this file, created pages are zeros. So a
 * truncated page that reappears is detected, and so is a page of a former file that is served for the new one of its
 * number. In one form the pool is resized meanwhile, and its policy exchanged. They go on until each of this has
 * happened. {@code -Dclockhand.pool.seconds=600} runs longer.
 */
class FileLifeLoadTest {
    private static final int THREADS = 64;
    private static final int STEPS = Tier.pick(150, 1_500, 15_000);
    private static final int FRAMES = 200;
    private static final int LEAST_FRAMES = 150;
    /** Of buffers on more than one slab, so that memory is given back. */
    private static final int MOST_FRAMES = 9_000;

    private static final List<String> POLICIES =
            List.of("nb-gclock3", "2r-gclock", "lru", "bp:lirs", "buffered:2q", "arc");
    private static final int PAGES = 400;
    private static final int FILES = 3;

    @TempDir
    private Path folder;

    /** A file and what is known of it. */
    private static final class Life {
        final int salt;
        final PagedFile file;
        final PageStore store;
        /** Pages from here on may have been truncated: lowered before a truncation. */
        final AtomicLong begun = new AtomicLong(PAGES);
        /** Pages from here on were truncated, and are zeros if they exist: lowered after a truncation. */
        final AtomicLong completed = new AtomicLong(PAGES);

        final AtomicBoolean dropping = new AtomicBoolean();
        /** Set after a drop. */
        volatile boolean dropped;

        Life(int salt, PagedFile file, PageStore store) {
            this.salt = salt;
            this.file = file;
            this.store = store;
        }
    }

    private final class Run {
        final BufferPool pool;
        final Crowd crowd = new Crowd(STEPS).until(this::hasEverythingHappened);
        final AtomicReferenceArray<Life> files = new AtomicReferenceArray<>(FILES);
        final AtomicLong tooLate = new AtomicLong();
        final AtomicLong right = new AtomicLong();
        final AtomicLong gone = new AtomicLong();
        final AtomicLong failed = new AtomicLong();
        final AtomicLong created = new AtomicLong();
        final AtomicLong truncations = new AtomicLong();
        final AtomicLong drops = new AtomicLong();
        final AtomicLong salts = new AtomicLong();
        final AtomicLong resizes = new AtomicLong();
        final AtomicLong switches = new AtomicLong();
        final boolean changing;

        Run(PageTableKind table, PageIn pageIn, String policy, boolean changing) throws IOException {
            this.changing = changing;
            pool = Pools.builder()
                    .pageBytes(StampedStore.PAGE_BYTES)
                    .frames(FRAMES)
                    .maxFrames(changing ? MOST_FRAMES : FRAMES)
                    .tuning(t -> t.table(table).pageIn(pageIn))
                    .policy(policy)
                    .build();
            for (int file = 0; file < FILES; file++) {
                begin(file);
            }
        }

        private void begin(int number) throws IOException {
            int salt = (int) salts.incrementAndGet() & 0xF_FFFF;
            PageStore store = number == 0 ? onDisk(salt) : faulty(salt);
            files.set(number, new Life(salt, pool.open(number, store), store));
        }

        private PageStore onDisk(int salt) throws IOException {
            FilePageStore store =
                    FilePageStore.open(folder.resolve("on-disk.db"), StampedStore.PAGE_BYTES, FileOption.CREATE_NEW);
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

        private boolean hasEverythingHappened() {
            return Stream.of(right, gone, failed, created, truncations, drops).allMatch(figure -> figure.get() > 0)
                    && (!changing || (resizes.get() > 0 && switches.get() > 0));
        }

        private void work(SplittableRandom random) throws Exception {
            try (OptimisticPage reader = pool.newOptimisticPage()) {
                AnyGuard guard = new AnyGuard(pool);
                crowd.repeat(() -> {
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
                });
            }
        }

        private boolean isRefusal(RuntimeException e, boolean dropped) {
            String message = e.getMessage();
            return (dropped && message.contains("was dropped; open it again"))
                    || message.contains("call truncate again")
                    || (message.startsWith("cannot truncate") && message.contains(" pages: it has "));
        }

        private void expect(boolean holds, Exception e) throws IOException {
            if (!holds) {
                throw new IOException("unexpected: " + e, e);
            }
        }

        private void step(SplittableRandom random, int file, Life life, AnyGuard guard, OptimisticPage reader)
                throws IOException {
            int kind = random.nextInt(1_000);
            long pages = Math.max(1, life.file.pages());
            long page = random.nextLong(pages + 2);
            long id = life.file.id(page);
            if (kind < 350) {
                LatchMode mode =
                        kind < 250 ? LatchMode.SHARED : kind < 300 ? LatchMode.UPGRADABLE : LatchMode.EXCLUSIVE;
                fix(guard, id, mode, life);
            } else if (kind < 550) {
                readOptimistically(reader, id, life);
            } else if (kind < 850) {
                create(life);
            } else if (kind < 980) {
                Prefetch ahead = life.file.prefetch(page, 1 + random.nextInt(16));
                if (kind < 900) {
                    ahead.cancel();
                }
            } else if (kind < 990 && changing) {
                change(random);
            } else if (kind < 998) {
                truncate(life, random.nextLong(pages + 1));
            } else {
                drop(file, life);
            }
        }

        private void fix(AnyGuard guard, long id, LatchMode mode, Life life) throws IOException {
            boolean dropped = life.dropped;
            long completed = life.completed.get();
            try (AnyGuard own = guard.fix(id, mode)) {
                long salt = salt(own.view(), id);
                boolean zero = StampedStore.isZero(own.view());
                check(id, life, salt, zero, life.begun.get(), completed, dropped);
            }
        }

        /** {@return the salt of the file that the page was read from, or −1 if it is torn or zero} */
        private long salt(PageView view, long id) {
            long salt = view.getLong(0) - StampedStore.stamp(0, PageId.page(id));
            return salt > 0 && salt < 1 << 20 && StampedStore.isRight(view, (int) salt, PageId.page(id)) ? salt : -1;
        }

        private void readOptimistically(OptimisticPage reader, long id, Life life) throws IOException {
            boolean dropped;
            long salt;
            boolean zero;
            long completed;
            long begun;
            do {
                dropped = life.dropped;
                completed = life.completed.get();
                reader.read(id);
                salt = salt(reader, id);
                zero = StampedStore.isZero(reader);
                begun = life.begun.get();
            } while (!reader.validateAndRelease());
            check(id, life, salt, zero, begun, completed, dropped);
        }

        /**
         * The page may belong to a file that was opened under the number later, if the drop of this one has begun; but
         * never to an earlier file.
         *
         * @param dropped whether the file was dropped before the read began
         */
        private void check(long id, Life life, long salt, boolean zero, long begun, long completed, boolean dropped) {
            long page = PageId.page(id);
            boolean stamped = salt == life.salt;
            boolean later = life.dropping.get() && (zero || salt > life.salt);
            boolean right = stamped ? !dropped && page < completed : zero && !dropped && page >= begun;
            if (!right && !later) {
                throw new AssertionError("page " + page + " is "
                        + (stamped
                                ? "stamped"
                                : zero ? "zero" : salt < 0 ? "torn" : "of file " + salt + ", not " + life.salt)
                        + (dropped ? ", and of a dropped file" : "") + "; truncated from " + begun + " to "
                        + completed);
            }
        }

        private void create(Life life) throws IOException {
            boolean dropped = life.dropped;
            try (WritablePage page = life.file.create()) {
                if (dropped || !StampedStore.isZero(page)) {
                    throw new AssertionError("page " + page + " was created, but is not zero, or its file was dropped");
                }
                created.incrementAndGet();
            } catch (FileBeingTruncatedException e) {
                // other threads use pages that a truncation removes
            }
        }

        /** Few enough frames that pages are evicted, or enough for all. */
        private void change(SplittableRandom random) throws IOException {
            if (random.nextInt(4) == 0) {
                pool.switchPolicy(POLICIES.get(random.nextInt(POLICIES.size())));
                switches.incrementAndGet();
            } else {
                int most = random.nextInt(4) == 0 ? MOST_FRAMES : 2 * FRAMES;
                pool.resize(random.nextInt(LEAST_FRAMES, most + 1));
                resizes.incrementAndGet();
            }
        }

        private void truncate(Life life, long keep) throws IOException {
            life.begun.accumulateAndGet(keep, Math::min);
            life.file.truncate(keep);
            life.completed.accumulateAndGet(keep, Math::min);
            truncations.incrementAndGet();
        }

        private void drop(int file, Life life) throws IOException {
            if (life.dropping.compareAndSet(false, true)) {
                life.file.drop();
                life.dropped = true;
                drops.incrementAndGet();
                if (life.store instanceof StampedStore stamped) {
                    tooLate.addAndGet(stamped.tooLate.get());
                }
                begin(file);
            }
        }

        void run() throws Exception {
            crowd.run(Thread::new, THREADS, (thread, random) -> work(random));
            for (int file = 0; file < FILES; file++) {
                drop(file, files.get(file));
            }
            // A flusher may have pinned a frame just before its page went; then it frees it, after the drop.
            Workers.await(() -> pool.stats().free() == pool.frames(), "frames of dropped files do not become free");
            assertThat(pool.stats().pinned()).isZero();
            pool.checkIntegrity();
            assertThat(tooLate).as("calls of closed stores").hasValue(0);
            System.out.printf(
                    "%,d steps, %,d pages gone, %,d injected failures, %,d pages created, %,d truncations, %,d drops%n",
                    right.get(), gone.get(), failed.get(), created.get(), truncations.get(), drops.get());
            pool.close();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "CHAINED, COALESCED, nb-gclock3",
        "ARRAY, OPTIMISTIC, nb-gclock3",
        "CHAINED, OPTIMISTIC, 2r-gclock",
        "CHAINED, OPTIMISTIC, bp:lirs",
        "CHAINED, OPTIMISTIC, buffered:2q",
        "NON_BLOCKING_HASH_MAP, BLOCKING, lru"
    })
    void nothingThatIsGoneComesBack(PageTableKind table, PageIn pageIn, String policy) throws Exception {
        new Run(table, pageIn, policy, false).run();
    }

    @ParameterizedTest
    @CsvSource({"CHAINED, OPTIMISTIC", "ARRAY, COALESCED", "CHAINED, BLOCKING"})
    void nothingIsLostWhileThePoolIsResizedAndItsPolicyExchanged(PageTableKind table, PageIn pageIn) throws Exception {
        Run run = new Run(table, pageIn, "nb-gclock3", true);
        run.run();
        System.out.printf("%,d resizes, %,d switches of the policy%n", run.resizes.get(), run.switches.get());
    }
}
