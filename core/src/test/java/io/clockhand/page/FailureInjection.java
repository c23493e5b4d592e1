// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.LatchMode;
import io.clockhand.NoSuchPageException;
import io.clockhand.PageId;
import io.clockhand.io.PageStore;
import io.clockhand.policy.Policies;
import io.clockhand.testing.FailingCalls;
import io.clockhand.testing.FailingCalls.Kind;
import io.clockhand.testing.Pools;
import io.clockhand.testing.Workers;
import io.clockhand.testing.Workers.Work;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A program that uses a pool of four frames, whose policy, stores and handler of long waits fail at a call that a test
 * chooses. No failure leaves a pin, a latch, a claim or a lock behind: afterwards the pool is whole, each page can be
 * fixed, files grow, and the pool closes.
 */
abstract class FailureInjection {
    static final int PAGES = 12;
    static final int KEPT = 10;
    /** Less than the limit of {@link Workers}, so that the wait says what it waited for. */
    static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final int LEAST_CALLS = 10;
    /** More than a program makes. */
    static final int MOST_CALLS = 2_000;

    final FailingCalls calls = new FailingCalls();
    final StampedStore store = new StampedStore(PAGES);
    final BufferPool pool;
    boolean handlerFails;
    private final AtomicBoolean handlerCalled = new AtomicBoolean();
    PagedFile file;

    FailureInjection(String policy, PageIn pageIn, Duration patience) throws IOException {
        calls.succeed();
        pool = Pools.builder()
                .pageBytes(StampedStore.PAGE_BYTES)
                .frames(4)
                .exhaustedAfter(PATIENCE)
                .waitTimeout(patience)
                .onLongWait((what, waited) -> {
                    handlerCalled.set(true);
                    if (handlerFails) {
                        calls.fail("the handler of a wait for " + what);
                    }
                    throw new AssertionError("a wait that does not end, for " + what);
                })
                .tuning(t -> t.pageIn(pageIn)
                        .prefetchThreads(1)
                        .flushThreads(0) // or calls would have no fixed order
                        .retryFailedForce(true))
                .build(calls.failing(Policies.create(policy, 4)));
        file = pool.open(0, calls.failing(PageStore.class, store));
    }

    /** Creates a program, whose pool is new. */
    interface Creation {
        /** Creates it. */
        FailureInjection create() throws IOException;
    }

    /** Runs a new program for each call that it makes, which fails. */
    static void failEachCall(Creation creation, Kind kind, boolean once) throws Exception {
        int call = 1;
        while (creation.create().runWithFailureAt(call, kind, once)) {
            assertThat(++call).isLessThan(MOST_CALLS);
        }
        assertThat(call).isGreaterThan(LEAST_CALLS);
    }

    /** {@return whether the call was made} */
    final boolean runWithFailureAt(int call, Kind kind, boolean once) throws Exception {
        calls.failAt(call, kind, once);
        try {
            run();
            calls.succeed();
            expectWhole();
        } catch (Throwable failure) {
            throw new AssertionError("after the failure of " + calls.place() + ": " + failure, failure);
        }
        return calls.hasFailed();
    }

    abstract void run() throws Exception;

    void expectHandlerCalled() {
        assertThat(handlerCalled).isTrue();
    }

    /** Does something that may fail as the test wants, and in no other way. */
    void attempt(Work work) {
        try {
            work.run();
        } catch (Throwable failure) {
            accept(failure);
        }
    }

    private void accept(Throwable failure) {
        if (!calls.isInjected(failure) && !isAfterwards(failure)) {
            throw new AssertionError("another failure: " + failure, failure);
        }
    }

    /** A consequence of a failure before: a page was not created, or could not be truncated. */
    private static boolean isAfterwards(Throwable failure) {
        return failure instanceof NoSuchPageException
                || (failure instanceof IllegalStateException
                        && failure.getMessage().contains("is incomplete; call truncate again"));
    }

    /** Fixes a page; {@return the guard, or null if that failed} */
    AnyGuard tryFix(long page, LatchMode mode) {
        AnyGuard guard = new AnyGuard(pool);
        try {
            guard.fix(PageId.of(0, page), mode);
        } catch (Throwable failure) {
            accept(failure);
            return null;
        }
        expectRight(guard.view(), page);
        return guard;
    }

    /** To close a guard never fails. */
    void fix(long page, LatchMode mode) {
        AnyGuard guard = tryFix(page, mode);
        if (guard != null) {
            guard.close();
        }
    }

    void create() {
        attempt(() -> file.create().close());
    }

    static void expectRight(PageView view, long page) {
        boolean right = page < PAGES && StampedStore.isRight(view, page);
        assertThat(right || (page >= KEPT && StampedStore.isZero(view)))
                .as("page %d is right", page)
                .isTrue();
    }

    void expectWhole() throws IOException {
        assertThat(pool.stats().pinned()).as("frames in use").isZero();
        pool.checkIntegrity();
        file.truncate(KEPT); // completes one that has failed
        assertThat(file.pages()).isEqualTo(KEPT);
        for (long page = 0; page < KEPT; page++) {
            for (LatchMode mode : LatchMode.values()) {
                try (AnyGuard guard = AnyGuard.fix(pool, file.id(page), mode)) {
                    expectRight(guard.view(), page);
                }
            }
        }
        for (int i = 0; i < 5; i++) {
            file.create().close();
        }
        assertThat(file.pages()).isEqualTo(KEPT + 5);
        assertThat(file.prefetch(0, 1).await(PATIENCE)).isTrue();
        pool.checkIntegrity();
        pool.close();
        assertThat(store.pages()).isEqualTo(KEPT + 5);
        assertThat(store.isClosed()).isTrue();
        assertThat(store.tooLate).hasValue(0);
    }
}
