// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import com.sun.management.ThreadMXBean;
import io.clockhand.LatchMode;
import io.clockhand.cache.HolderCache;
import io.clockhand.cache.HolderLifecycle;
import io.clockhand.policy.Claims;
import io.clockhand.policy.Policies;
import io.clockhand.testing.ForwardingPolicy;
import io.clockhand.testing.Pools;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * A program for a JVM of its own, in which one step of a pool, or of a cache, runs for the first time: it ends what a
 * thread has begun. Prints {@code allocated=} and the number of bytes that the step has allocated, those included that
 * the JVM needs in order to load classes and link calls.
 *
 * <p>{@code FirstSteps STEP}.
 */
public final class FirstSteps {
    private static final int FRAMES = 2;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** Made before it is thrown. */
    private final IOException failure = new IOException("injected");

    private boolean extensionsFail;
    private final StampedStore store = new StampedStore(8) {
        @Override
        public void extend(long pages) throws IOException {
            if (extensionsFail) {
                fail();
            }
            super.extend(pages);
        }
    };
    private final BufferPool pool =
            Pools.builder().pageBytes(StampedStore.PAGE_BYTES).frames(FRAMES).build(new FirstFrame());
    private final PagedFile file = pool.open(0, store);
    private long begin;
    private long end;

    /** The step that is measured. */
    enum Step {
        CLAIM_OF_A_VICTIM,
        RELEASE_OF_A_HOLDER,
        RELEASE_OF_A_SHARE,
        RELEASE_FROM_UPDATE_MODE,
        RELEASE_FROM_EXCLUSIVE_MODE,
        FAILED_READ,
        FAILED_CREATION,
        FAILED_TRUNCATION,
        RELEASE_WHILE_A_THREAD_WAITS_FOR_THE_LATCH,
        RELEASE_WHILE_A_THREAD_WAITS_FOR_A_FRAME
    }

    /** Frame 0 is the victim, again and again; its claim is measured. */
    private final class FirstFrame extends ForwardingPolicy {
        FirstFrame() {
            super(Policies.create(Policies.DEFAULT, FRAMES));
        }

        @Override
        public int evict(long identity, Claims claims) {
            begin = allocated();
            Claims.Outcome outcome = claims.ageOrClaim(0);
            while (outcome == Claims.Outcome.AGED) {
                outcome = claims.ageOrClaim(0);
            }
            end = allocated();
            return outcome == Claims.Outcome.CLAIMED ? 0 : NONE;
        }
    }

    /** Holders of their keys. */
    private static final class Numbers implements HolderLifecycle<Long, AtomicLong, IOException> {
        @Override
        public AtomicLong allocate() {
            return new AtomicLong();
        }

        @Override
        public AtomicLong load(AtomicLong holder, Long key) {
            holder.set(key);
            return holder;
        }

        @Override
        public AtomicLong create(AtomicLong holder, Long key, Object parameter) {
            return load(holder, key);
        }

        @Override
        public Long keyOf(AtomicLong holder) {
            return holder.get();
        }

        @Override
        public boolean isDirty(AtomicLong holder) {
            return false;
        }

        @Override
        public void clean(AtomicLong holder, boolean removing) {
            throw new AssertionError("no holder is dirty");
        }

        @Override
        public void clear(AtomicLong holder) {
            holder.set(0);
        }
    }

    private FirstSteps() throws IOException {}

    /** Runs it. */
    public static void main(String[] arguments) throws Exception {
        Step step = Step.valueOf(arguments[0]);
        FirstSteps steps = new FirstSteps();
        long before = allocated();
        long ofTheCount = allocated() - before;
        steps.run(step);
        System.out.println("allocated=" + (steps.end - steps.begin - ofTheCount));
    }

    private static long allocated() {
        return THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
    }

    private void run(Step step) throws Exception {
        switch (step) {
            case CLAIM_OF_A_VICTIM -> {
                for (int page = 0; page <= FRAMES; page++) {
                    pool.fix(file.id(page)).close();
                }
            }
            case RELEASE_OF_A_HOLDER -> {
                HolderCache<Long, AtomicLong, IOException> cache =
                        HolderCache.builder(new Numbers()).frames(FRAMES).build();
                AtomicLong holder = cache.find(1L);
                begin = allocated();
                cache.release(holder);
                end = allocated();
            }
            case RELEASE_OF_A_SHARE -> measureRelease(LatchMode.SHARED);
            case RELEASE_FROM_UPDATE_MODE -> measureRelease(LatchMode.UPDATE);
            case RELEASE_FROM_EXCLUSIVE_MODE -> measureRelease(LatchMode.EXCLUSIVE);
            case FAILED_READ -> {
                store.beforeRead(page -> fail());
                measureToCatch(() -> pool.fix(file.id(0)));
            }
            case FAILED_CREATION -> {
                store.truncate(8); // loads what it needs itself
                extensionsFail = true;
                measureToCatch(file::create);
            }
            case FAILED_TRUNCATION -> {
                store.beforeTruncate(pages -> fail());
                measureToCatch(() -> file.truncate(0));
            }
            case RELEASE_WHILE_A_THREAD_WAITS_FOR_THE_LATCH -> {
                AnyGuard guard = AnyGuard.fix(pool, file.id(0), LatchMode.EXCLUSIVE);
                startToWait(() -> pool.fix(file.id(0)).close());
                measureRelease(guard);
            }
            case RELEASE_WHILE_A_THREAD_WAITS_FOR_A_FRAME -> {
                AnyGuard guard = AnyGuard.fix(pool, file.id(0), LatchMode.SHARED);
                AnyGuard.fix(pool, file.id(1), LatchMode.SHARED);
                startToWait(() -> pool.fix(file.id(2)).close());
                measureRelease(guard);
            }
        }
    }

    private void measureRelease(LatchMode mode) throws IOException {
        measureRelease(AnyGuard.fix(pool, file.id(0), mode));
    }

    private void measureRelease(AnyGuard guard) {
        begin = allocated();
        guard.close();
        end = allocated();
    }

    /** Fails, and from then on counts. */
    private StampedStore.Outcome fail() throws IOException {
        begin = allocated();
        throw failure;
    }

    private interface Call {
        void make() throws IOException;
    }

    @SuppressWarnings("ReferenceEquality") // the very failure
    private void measureToCatch(Call call) throws IOException {
        try {
            call.make();
        } catch (IOException e) {
            end = allocated();
            if (e != failure) {
                throw e;
            }
        }
    }

    private static void startToWait(Call call) {
        Thread waiter = new Thread(() -> {
            try {
                call.make();
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
        waiter.setDaemon(true);
        waiter.start();
        while (waiter.getState() != Thread.State.TIMED_WAITING) {
            LockSupport.parkNanos(1_000_000);
        }
    }
}
