// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import io.clockhand.FileBeingTruncatedException;
import io.clockhand.NoSuchPageException;
import io.clockhand.PageId;
import io.clockhand.PoolFailedException;
import io.clockhand.io.PageCorruptException;
import io.clockhand.testing.Pools;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;

/**
 * The threads of {@link FaultSoakTest}, from the opening of a pool to its end. Each has one kind of work, which it
 * repeats. A call that fails must say why, and which file and page it concerns; a page that is found must hold what
 * {@link SoakFile} says.
 */
final class SoakRun {
    static final int FILES = 3;
    /** The threads that have all kinds of work. More threads read, update and create pages. */
    private static final int KINDS = 33;

    private static final int USERS = 25;

    static final int THREADS = Integer.getInteger("clockhand.faults.threads", KINDS);
    private static final int FRAMES = Math.max(64, 2 * THREADS);
    private static final int LEAST_FRAMES = FRAMES * 25 / 32;
    private static final int MOST_FRAMES = FRAMES * 5 / 4;
    private static final List<String> POLICIES = List.of("nb-gclock3", "2r-gclock", "bp:lirs", "lru");
    private static final Pattern CAUSE = Pattern.compile("injected|No space left on device|bytes were (read|written)");
    private static final Pattern PLACE = Pattern.compile("(page|pages) \\d+.* of (pages|journal)-\\d"
            + "|(read|write) \\d+ bytes at \\d+ of (log|master)"
            + "|(truncate|extend|force|delete|close|open) (pages|journal)-\\d|force (log|master)");

    private final SoakEngine engine;
    private final SoakLog log;
    private final BufferPool pool;
    private final long seed;
    private final boolean failStop;
    private final boolean forgetful;

    final AtomicReference<Throwable> wrong = new AtomicReference<>();
    volatile boolean over;
    /** Set when a change was refused since a force has failed. */
    volatile boolean failed;

    /** Opens a pool; with {@code forgetful} the model counts some updates that are not made. */
    SoakRun(SoakEngine engine, boolean failStop, boolean forgetful, long seed) {
        this.engine = engine;
        this.log = engine.log;
        this.failStop = failStop;
        this.forgetful = forgetful;
        this.seed = seed;
        this.pool = Pools.builder()
                .pageBytes(SoakFile.PAGE_BYTES)
                .frames(FRAMES)
                .maxFrames(MOST_FRAMES)
                .log(engine.logOfPool())
                .lsnOffset(SoakFile.LSN)
                .tuning(t -> t.flushInterval(Duration.ofMillis(50)).retryFailedForce(!failStop))
                .build();
    }

    BufferPool pool() {
        return pool;
    }

    // --- the threads -------------------------------------------------------------------------------------------------

    /** A step of a thread on a file. */
    private interface Step {
        void run(SoakFile file, SplittableRandom random) throws IOException;
    }

    /** Repeats the work of a thread until the run is over; {@code started} gets the time of each step. */
    void work(int thread, Runnable started) {
        SplittableRandom random = new SplittableRandom(seed + thread);
        try (OptimisticPage reader = pool.newOptimisticPage()) {
            Step step = stepOf(thread, reader);
            while (!over && wrong.get() == null) {
                Thread.interrupted();
                started.run();
                SoakFile file = engine.files.get(random.nextInt(FILES));
                long turn = file.turn.get();
                try {
                    step.run(file, random);
                    engine.counts.steps.increment();
                } catch (PoolFailedException e) {
                    require(failStop, e);
                    failed = true;
                    rest(random, 100);
                } catch (IOException e) {
                    require(isExplained(e), e);
                    engine.counts.failures.increment();
                } catch (FileBeingTruncatedException e) {
                    engine.counts.refusals.increment(); // a user of a page waits for the disk
                } catch (IllegalStateException e) {
                    require(isRefusal(e, file, turn), e);
                    engine.counts.refusals.increment();
                    rest(random, 500);
                }
            }
        } catch (Throwable failure) {
            wrong.compareAndSet(null, failure);
        }
    }

    private Step stepOf(int thread, OptimisticPage reader) {
        return switch (thread < KINDS ? thread : (thread - KINDS) % USERS) {
            case 0, 1, 2, 3, 4, 5, 6, 7 -> this::read;
            case 8, 9, 10, 11 -> (file, random) -> readOptimistically(file, random, reader);
            case 12, 13, 14, 15, 16, 17, 18, 19, 20, 21 -> this::update;
            case 22, 23, 24 -> this::create;
            case 25, 26 -> this::truncate;
            case 27 -> this::reopenOrDrop;
            case 28 -> this::flush;
            case 29 -> this::checkpoint;
            case 30 -> this::force;
            case 31 -> this::resizeOrSwitch;
            default -> this::prefetch;
        };
    }

    private static void rest(SplittableRandom random, int micros) {
        LockSupport.parkNanos(1_000L * (1 + random.nextInt(micros)));
    }

    private static void require(boolean expected, Exception e) {
        if (!expected) {
            throw new AssertionError("unexpected: " + e, e);
        }
    }

    private static boolean isExplained(IOException failure) {
        boolean isCaused = false;
        boolean isPlaced = false;
        for (Throwable e = failure; e != null; e = e.getCause()) {
            isCaused |= e.getMessage() != null && CAUSE.matcher(e.getMessage()).find();
            isPlaced |= e.getMessage() != null && PLACE.matcher(e.getMessage()).find();
        }
        return isCaused && isPlaced;
    }

    private static boolean isRefusal(IllegalStateException e, SoakFile file, long turn) {
        String message = String.valueOf(e.getMessage());
        if (message.contains("call truncate again")) {
            return true;
        }
        boolean isRemoved = file.dropping || turn % 2 == 1 || file.turn.get() != turn;
        return isRemoved && (message.contains("was closed; open it") || message.contains("was dropped; open it"));
    }

    // --- readers -----------------------------------------------------------------------------------------------------

    /** {@return a page that the file may have, or −1 if it has none} */
    private static long anyPage(SoakFile file, SplittableRandom random) {
        long pages = Math.min(file.file.pages(), SoakFile.MODEL_PAGES);
        return pages == 0 ? -1 : random.nextInt(8) == 0 ? random.nextLong(Math.min(4, pages)) : random.nextLong(pages);
    }

    /** Reads a page, and permits that there is none where the model does. */
    private void reading(SoakFile file, long page, Step step, SplittableRandom random) throws IOException {
        if (random.nextInt(30) == 0) {
            rest(random, 500); // or hits would take all the time
        }
        if (page < 0) {
            rest(random, 100);
            return;
        }
        SoakFile.Before before = file.before(page);
        try {
            step.run(file, random);
        } catch (NoSuchPageException e) {
            file.checkMissing(page, before);
            engine.counts.missing.increment();
        } catch (PageCorruptException e) { // a creation has failed, and the file was closed since
            require(file.dropping || before.last() <= file.truncated.get((int) page), e);
            engine.counts.missing.increment();
        }
    }

    private void read(SoakFile file, SplittableRandom random) throws IOException {
        long page = anyPage(file, random);
        reading(
                file,
                page,
                (read, any) -> {
                    try (PageGuard guard = pool.fix(file.id(page))) {
                        file.check(page, guard);
                        engine.counts.reads.increment();
                    }
                },
                random);
    }

    private void readOptimistically(SoakFile file, SplittableRandom random, OptimisticPage reader) throws IOException {
        long page = anyPage(file, random);
        reading(
                file,
                page,
                (read, any) -> {
                    SoakFile.Before before;
                    SoakFile.Image image;
                    do {
                        before = file.before(page);
                        reader.read(file.id(page));
                        image = SoakFile.Image.of(reader);
                    } while (!reader.validateAndRelease());
                    file.check(page, image, before);
                    engine.counts.reads.increment();
                },
                random);
    }

    private void prefetch(SoakFile file, SplittableRandom random) {
        long page = anyPage(file, random);
        if (page >= 0) {
            file.file.prefetch(page, 1 + random.nextInt(16));
        }
        rest(random, 500);
    }

    // --- changes -----------------------------------------------------------------------------------------------------

    private void update(SoakFile file, SplittableRandom random) throws IOException {
        if (log.isFull()) {
            rest(random, 1_000);
            return;
        }
        long page = anyPage(file, random);
        reading(
                file,
                page,
                (changed, any) -> {
                    long lsn;
                    try (WritablePage writable = pool.fixExclusive(file.id(page))) {
                        lsn = random.nextInt(30) == 0
                                ? abandon(file, page, writable)
                                : change(file, page, writable, random);
                    } catch (IllegalStateException undone) {
                        require(String.valueOf(undone.getMessage()).contains("was undone"), undone);
                        lsn = 0;
                    }
                    if (lsn > 0 && random.nextInt(4) == 0) {
                        acknowledge(file, page, lsn);
                    }
                },
                random);
    }

    /** {@return the LSN, or 0 if the page may not be changed} */
    private long change(SoakFile file, long page, WritablePage writable, SplittableRandom random) {
        file.gate.readLock().lock();
        try {
            file.check(page, writable);
            if (file.dropping || page >= file.limit) {
                return 0;
            }
            writable.beginUpdate();
            long lsn = log.append(SoakLog.Kind.UPDATE, file.salt, page);
            if (!forgetful || random.nextInt(1_000) > 0) {
                SoakFile.put(writable, file.salt, page, lsn);
            }
            writable.endUpdate(lsn);
            file.last.set((int) page, lsn);
            engine.counts.updates.increment();
            return lsn;
        } finally {
            file.gate.readLock().unlock();
        }
    }

    /** Does not end an update, which is undone when the page is closed. */
    private long abandon(SoakFile file, long page, WritablePage writable) {
        file.check(page, writable);
        writable.beginUpdate();
        SoakFile.put(writable, -1, -1, -1);
        return 0;
    }

    private void acknowledge(SoakFile file, long page, long lsn) throws IOException {
        log.makeDurable(lsn);
        file.acknowledged.accumulateAndGet((int) page, lsn, Math::max);
        engine.counts.acknowledged.increment();
    }

    private void create(SoakFile file, SplittableRandom random) throws IOException {
        if (file.file.pages() >= SoakFile.MOST_PAGES || log.isFull()) {
            rest(random, 1_000);
            return;
        }
        long lsn = 0;
        long page;
        try (WritablePage created = file.file.create()) {
            page = PageId.page(created.id());
            if (page < SoakFile.MODEL_PAGES) {
                lsn = change(file, page, created, random);
            }
        }
        engine.counts.created.increment();
        if (lsn > 0 && random.nextInt(4) == 0) {
            acknowledge(file, page, lsn);
        }
    }

    private void truncate(SoakFile file, SplittableRandom random) throws IOException {
        rest(random, 5_000);
        if (!file.changing.tryLock()) {
            return;
        }
        try {
            long pages = file.file.pages();
            if (file.limit == Long.MAX_VALUE) {
                engine.beginTruncation(file, Math.max(0, pages - random.nextLong(1 + pages / 4 + random.nextInt(2))));
            }
            engine.completeTruncation(file); // if this fails the next truncation completes it
            engine.counts.truncations.increment();
        } finally {
            file.changing.unlock();
        }
    }

    private void reopenOrDrop(SoakFile file, SplittableRandom random) throws IOException {
        if (!file.dropping && file.turn.get() % 2 == 0) {
            rest(random, 20_000);
        }
        file.changing.lock();
        try {
            if (file.dropping || (file.turn.get() % 2 == 0 && random.nextInt(2) == 0)) {
                engine.drop(pool, file);
            } else {
                engine.reopen(pool, file);
            }
        } finally {
            file.changing.unlock();
        }
    }

    private void resizeOrSwitch(SoakFile file, SplittableRandom random) throws IOException {
        rest(random, 20_000);
        if (random.nextInt(4) == 0) {
            pool.switchPolicy(POLICIES.get(random.nextInt(POLICIES.size())));
        } else {
            pool.resize(random.nextInt(LEAST_FRAMES, MOST_FRAMES + 1));
            engine.counts.resizes.increment();
        }
    }

    // --- writes ------------------------------------------------------------------------------------------------------

    private void flush(SoakFile file, SplittableRandom random) throws IOException {
        rest(random, 10_000);
        if (random.nextBoolean()) {
            pool.flush();
        } else {
            file.file.flush();
        }
    }

    private void checkpoint(SoakFile file, SplittableRandom random) throws IOException {
        rest(random, 10_000);
        engine.checkpoint(pool, log.isFull() || random.nextBoolean());
    }

    /** Forces a file; now and then there is no space for a while. */
    private void force(SoakFile file, SplittableRandom random) throws IOException {
        rest(random, 20_000);
        if (random.nextInt(8) == 0) {
            engine.disk.setCapacityBytes(engine.disk.usedBytes());
            rest(random, 20_000);
            engine.disk.setCapacityBytes(Long.MAX_VALUE);
        }
        file.file.force();
    }
}
