// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import io.clockhand.FileBeingTruncatedException;
import io.clockhand.NoSuchPageException;
import io.clockhand.PageId;
import io.clockhand.PoolFailedException;
import io.clockhand.cache.SmallHeapCache;
import io.clockhand.io.FileOption;
import io.clockhand.testing.Pools;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * A program for a JVM with a small heap: threads use pools and caches in all ways while another thread fills the heap
 * until it is exhausted, frees it, and begins anew. After each round, with memory freed, the pool and the cache are
 * checked. Prints {@code rounds=}, {@code errors=} and {@code failed=} in the end, or what was wrong.
 *
 * <p>{@code SmallHeap ROUNDS LEAST_SECONDS FOLDER}. Written so that the program itself survives: it has all it needs
 * before memory runs out.
 */
public final class SmallHeap {
    private static final int FRAMES = 16;
    private static final int PAGES = 40;
    private static final int KEPT = 20;
    private static final int MOST_PAGES = 200;
    private static final int USERS = 6;
    /** How often memory runs out in a round. */
    private static final int HOLDS = 40;
    /** The steps of the threads with memory, so that all classes are there. */
    private static final int STEPS_TO_LOAD = 6_000;

    private static final long HOLD_NANOS = 5_000_000;
    /** Only a wait that never ends reaches it. */
    private static final long LIMIT_NANOS = 120_000_000_000L;

    /** A run with fewer errors shows nothing: it goes on. */
    private static final int LEAST_ERRORS = 6;

    private static final int GREATEST_BLOCK = 1 << 20;
    private static final int LEAST_BLOCK = 1 << 12;
    private static final int MOST_BLOCKS = 1 << 12;
    private static final int SMALL = 2;
    private static final String[] POLICIES = {"nb-gclock3", "lru", "lirs", "mq", "bp:lru", "buffered:2q"};

    private final BufferPool pool;
    private final PagedFile stamped;
    private final PagedFile zeros;
    private final StampedStore store = new StampedStore(PAGES);
    private final SmallHeapCache cache;
    private final List<Thread> threads = new ArrayList<>();
    /** The first failure that must not happen, even without memory. */
    private volatile Throwable fault;

    private volatile boolean over;
    /** The last of a chain of objects that fill the heap; used by one thread. */
    private Object[] rest;

    /** Part of the message of HotSpot's error after it has dropped frames, with their {@code finally} blocks. */
    private static final String DROPPED = "failed reallocation";

    /** The round under way. */
    private static volatile SmallHeap current;

    /** The last thread that an error has ended, or null. */
    private static volatile Thread died;

    private final AtomicLong errors = new AtomicLong();
    private final AtomicLong steps = new AtomicLong();
    private final AtomicLong holds = new AtomicLong();

    private SmallHeap(int round, Path folder) throws IOException {
        String policy = POLICIES[round % POLICIES.length];
        PageIn pageIn = round % 2 == 0 ? PageIn.OPTIMISTIC : PageIn.COALESCED;
        pool = Pools.builder()
                .pageBytes(StampedStore.PAGE_BYTES)
                .frames(FRAMES)
                .policy(policy)
                .detectLeaks(round % 5 == 4)
                .tuning(t -> t.pageIn(pageIn)
                        .prefetchThreads(2)
                        .flushThreads(round % 3)
                        .flushInterval(Duration.ofMillis(5))
                        .retryFailedForce(true))
                .build();
        pool.collectStats(true);
        stamped = pool.open(0, store);
        zeros = pool.open(1, folder.resolve("zeros"), FileOption.CREATE);
        if (zeros.pages() > 0) {
            zeros.truncate(0);
        }
        zeros.create().close();
        cache = new SmallHeapCache(policy);
    }

    /** Runs it. */
    public static void main(String[] arguments) {
        // a thread of the JDK without memory; or a user, all of whose frames the virtual machine has dropped
        Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> {
            died = thread;
            current.onError(failure);
        });
        new Throwable("loads the classes that print a failure").printStackTrace(new PrintWriter(new StringWriter()));
        try {
            run(arguments);
        } catch (Throwable failure) {
            failure.printStackTrace(System.out);
            System.exit(1);
        }
    }

    private static void run(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[2]);
        for (int round = 0; round < POLICIES.length; round++) { // with memory, to load the classes
            new SmallHeap(round, folder).run(round, false);
        }
        int leastRounds = Integer.parseInt(arguments[0]);
        long notBefore = System.nanoTime() + Long.parseLong(arguments[1]) * 1_000_000_000L;
        int rounds = 0;
        long errors = 0;
        int failed = 0;
        do {
            SmallHeap round = new SmallHeap(rounds, folder);
            round.run(rounds, true);
            errors += round.errors.get();
            failed += round.hasFailed() ? 1 : 0;
            rounds++;
        } while (rounds < leastRounds || errors < LEAST_ERRORS || System.nanoTime() - notBefore < 0);
        System.out.println("rounds=" + rounds + " errors=" + errors + " failed=" + failed);
    }

    // --- a round -----------------------------------------------------------------------------------------------------

    private void run(int round, boolean fills) throws Exception {
        current = this;
        for (int i = 0; i < USERS; i++) {
            SplittableRandom random = new SplittableRandom(31L * round + i);
            Use ofCache = cache.user(random.split());
            Use ofPool = new User(random);
            threads.add(thread(() -> use(ofCache)));
            threads.add(thread(() -> use(ofPool)));
        }
        Thread filler = thread(this::fill);
        threads.forEach(Thread::start);
        if (fills) {
            filler.start();
        }
        while (!over && (fills ? holds.get() < HOLDS : steps.get() < STEPS_TO_LOAD)) {
            LockSupport.parkNanos(HOLD_NANOS);
        }
        over = true;
        if (fills) {
            join(filler);
        }
        for (Thread thread : threads) {
            join(thread);
        }
        if (fault != null) {
            throw new AssertionError("round " + round, fault);
        }
        try {
            expectWholeOrFailed(cache::expectWhole, cache::hasFailed, cache::expectClosable);
            expectWholeOrFailed(this::expectWhole, this::hasFailed, this::expectClosable);
        } catch (Throwable failure) {
            throw new AssertionError("round " + round + "; ended by an error: " + died, failure);
        }
    }

    private interface Check {
        void run() throws IOException;
    }

    /** A thread of the pool may have met the error late: then the check itself is refused. */
    private static void expectWholeOrFailed(Check whole, BooleanSupplier failed, Check closable) throws IOException {
        if (!failed.getAsBoolean()) {
            try {
                whole.run();
                return;
            } catch (PoolFailedException e) {
                expect(failed.getAsBoolean(), "refused by a pool that has not failed: " + e);
            }
        }
        closable.run();
    }

    /** A thread that does not keep the JVM alive when the program has failed. */
    private static Thread thread(Runnable work) {
        Thread thread = new Thread(work);
        thread.setDaemon(true);
        return thread;
    }

    private void join(Thread thread) throws InterruptedException {
        thread.join(LIMIT_NANOS / 1_000_000);
        if (thread.isAlive()) {
            AssertionError stuck = new AssertionError(
                    "a thread does not end; pinned: " + pool.pages().describePinned(FRAMES) + "; failed: " + hasFailed()
                            + "; ended by an error: " + died);
            stuck.setStackTrace(thread.getStackTrace());
            Thread.getAllStackTraces().forEach((other, stack) -> {
                Throwable its = new Throwable(other.getName());
                its.setStackTrace(stack);
                stuck.addSuppressed(its);
            });
            throw stuck;
        }
    }

    /** The use that a thread makes of a pool or a cache, again and again. */
    public interface Use {
        /** Does one thing, which may fail for want of memory. */
        void once() throws Exception;
    }

    /** A failure that must not happen, whatever memory there is. */
    public static final class Fault extends Error {
        private static final long serialVersionUID = 1;

        /** With the reason. */
        public Fault(String message, Throwable cause) {
            super(message, cause);
        }
    }

    private void use(Use use) {
        while (!over) {
            try {
                steps.incrementAndGet();
                use.once();
            } catch (NoSuchPageException e) {
                // another thread has truncated the file
            } catch (OutOfMemoryError e) {
                errors.incrementAndGet();
                onError(e);
            } catch (Throwable e) {
                onError(e);
                if (!isForWantOfMemory(e) && fault == null) {
                    fault = e;
                    over = true;
                }
            }
        }
    }

    /** As an engine must: a guard that was open in the dropped frames is lost. */
    private void onError(Throwable failure) {
        if (saysDropped(failure)) {
            pool.fail(failure);
            cache.fail(failure);
        }
    }

    private static boolean saysDropped(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            String message = cause.getMessage();
            if (message != null && message.contains(DROPPED)) {
                return true;
            }
            for (Throwable suppressed : cause.getSuppressed()) {
                if (saysDropped(suppressed)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** A failure of another thread, or a consequence of one before: a truncation that must be completed. */
    private static boolean isForWantOfMemory(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof OutOfMemoryError || isClassOfTheJdk(cause)) {
                return true;
            }
        }
        String message = failure.getMessage();
        return failure instanceof IllegalStateException
                && message != null
                && message.contains("is incomplete; call truncate again");
    }

    /** A class whose initialization has run out of memory can never be used; those of Clockhand are there by now. */
    private static boolean isClassOfTheJdk(Throwable failure) {
        return failure instanceof LinkageError
                && !String.valueOf(failure.getMessage()).contains("io.clockhand");
    }

    // --- the heap ----------------------------------------------------------------------------------------------------

    /** Fills the heap but for a rest, and then again and again that rest; then frees all and begins anew. */
    private void fill() {
        byte[][] blocks = new byte[MOST_BLOCKS][];
        while (!over) {
            int count = 0;
            for (int size = GREATEST_BLOCK; size >= LEAST_BLOCK && !over; size /= 4) {
                try {
                    for (; count < MOST_BLOCKS; count++) {
                        blocks[count] = new byte[size];
                    }
                } catch (OutOfMemoryError e) {
                    // a smaller block may fit
                }
            }
            for (int times = 0; times < 20 && !over; times++) {
                holdRest();
                holds.incrementAndGet();
                LockSupport.parkNanos(times % 4 * HOLD_NANOS);
            }
            while (count > 0) {
                blocks[--count] = null;
            }
            LockSupport.parkNanos(HOLD_NANOS);
        }
    }

    /** Fills the rest with small objects, holds them for a moment, and frees them. */
    private void holdRest() {
        try {
            for (; ; ) {
                Object[] link = new Object[SMALL];
                link[0] = rest;
                rest = link;
            }
        } catch (OutOfMemoryError e) {
            LockSupport.parkNanos(HOLD_NANOS);
        }
        rest = null;
    }

    // --- the pool ----------------------------------------------------------------------------------------------------

    /** One thread that uses the pool. */
    private final class User implements Use {
        private final SplittableRandom random;
        private final PageGuard guard = pool.newGuard();
        private final WritablePage writable = pool.newWritablePage();
        private final OptimisticPage optimistic = pool.newOptimisticPage();

        User(SplittableRandom random) {
            this.random = random;
        }

        @Override
        public void once() throws IOException {
            int choice = random.nextInt(100);
            if (choice < 40) {
                read(random.nextInt(PAGES));
            } else if (choice < 43) {
                write();
            } else if (choice < 53) {
                change();
            } else if (choice < 60) {
                update(random.nextInt(PAGES));
            } else if (choice < 75) {
                readOptimistically(random.nextInt(PAGES));
            } else if (choice < 85) {
                create(choice < 80 ? stamped : zeros);
            } else if (choice < 95) {
                stamped.prefetch(random.nextInt(KEPT), 1 + random.nextInt(4));
            } else {
                truncate(choice < 97 ? stamped : zeros);
            }
        }

        private void read(int page) throws IOException {
            guard.fix(PageId.of(0, page));
            try {
                expectRight(guard, page);
            } finally {
                close(guard);
            }
        }

        private void update(int page) throws IOException {
            guard.fixUpgradable(PageId.of(0, page));
            try {
                guard.upgrade(writable);
            } catch (Throwable failure) {
                close(guard);
                throw failure;
            }
            try {
                expectRight(writable, page);
            } finally {
                close(writable);
            }
        }

        /** Changes a page of zeros to zeros: it becomes dirty, and stays right. */
        private void change() throws IOException {
            writable.fix(PageId.of(1, random.nextInt((int) Math.max(1, zeros.pages()))));
            try {
                writable.beginUpdate();
                writable.putLong(random.nextInt(8) * Long.BYTES, 0);
                writable.endUnloggedUpdate();
            } finally {
                close(writable);
            }
        }

        private void write() throws IOException {
            switch (random.nextInt(3)) {
                case 0 -> pool.flush();
                case 1 -> pool.checkpoint();
                default -> zeros.flush();
            }
        }

        private void readOptimistically(int page) throws IOException {
            try {
                optimistic.read(PageId.of(0, page));
                boolean right = isRight(optimistic, page);
                if (optimistic.validate() && !right) {
                    throw new Fault("page " + page + " is wrong", null);
                }
                if (optimistic.promote(guard)) {
                    close(guard);
                }
            } finally {
                optimistic.close();
            }
        }

        private void create(PagedFile file) throws IOException {
            if (file.pages() < MOST_PAGES) {
                try {
                    close(file.create());
                } catch (FileBeingTruncatedException e) {
                    // other threads use pages that a truncation removes
                }
            }
        }

        private void truncate(PagedFile file) throws IOException {
            long pages = file.pages();
            long keep = file.number() == 0 ? KEPT : 1;
            if (pages > keep) {
                try {
                    file.truncate(keep + random.nextInt((int) (pages - keep)));
                } catch (IllegalArgumentException e) {
                    // another thread has truncated it further meanwhile
                }
            }
        }
    }

    private void close(AutoCloseable guard) {
        try {
            guard.close();
        } catch (Throwable failure) {
            if (!hasFailed()) {
                throw new Fault("a guard cannot be closed", failure);
            }
        }
    }

    private boolean hasFailed() {
        return pool.pages().framePool().failure().hasFailed();
    }

    private static void expectRight(PageView view, long page) {
        if (!isRight(view, page)) {
            throw new Fault("page " + page + " is wrong", null);
        }
    }

    private static boolean isRight(PageView view, long page) {
        return StampedStore.isRight(view, page) || (page >= KEPT && StampedStore.isZero(view));
    }

    private void expectClosable() throws IOException {
        pool.closeWithoutWriting();
        expect(store.isClosed(), "the store is not closed");
    }

    private void expectWhole() throws IOException {
        zeros.truncate(1); // completes what has failed
        stamped.truncate(KEPT);
        pool.flush();
        pool.prefetcher().pause(); // its threads go on after their users: a frame that one has taken is in no list
        pool.prefetcher().resume();
        awaitUnpinned();
        pool.checkIntegrity();
        for (int page = 0; page < KEPT; page++) {
            try (PageGuard guard = pool.fix(stamped.id(page))) {
                expectRight(guard, page);
            }
            try (WritablePage writable = pool.fixExclusive(stamped.id(page))) {
                expectRight(writable, page);
            }
        }
        for (PagedFile file : List.of(stamped, zeros)) {
            long before = file.pages();
            for (int i = 0; i < 5; i++) {
                file.create().close();
            }
            expect(file.pages() == before + 5, file + " does not grow");
        }
        pool.checkIntegrity();
        pool.close();
        expect(store.isClosed(), "the store is not closed");
    }

    /** A flusher ends the mark of a write, for which a flush waits, just before it drops its pin. */
    private void awaitUnpinned() {
        long begin = System.nanoTime();
        while (pool.pages().pinned() > 0) {
            expect(System.nanoTime() - begin < LIMIT_NANOS, pool.pages().describePinned(FRAMES));
            LockSupport.parkNanos(HOLD_NANOS);
        }
    }

    static void expect(boolean holds, String fault) {
        if (!holds) {
            throw new AssertionError(fault);
        }
    }
}
