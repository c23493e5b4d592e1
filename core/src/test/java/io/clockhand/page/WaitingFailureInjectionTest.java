// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import io.clockhand.LatchMode;
import io.clockhand.policy.Policies;
import io.clockhand.testing.FailingCalls.Kind;
import io.clockhand.testing.Tier;
import io.clockhand.testing.Workers;
import io.clockhand.testing.Workers.Work;
import io.clockhand.testing.Workers.Worker;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Each call of a policy, a store or a handler of long waits fails while a second thread waits for the first one. */
@Tag("both-tables")
class WaitingFailureInjectionTest {
    @RegisterExtension
    private final Workers workers = new Workers();

    static Stream<Arguments> settings() {
        return Tier.some(
                2,
                Stream.of(
                        Arguments.of(PageIn.OPTIMISTIC, Kind.EXCEPTION, true),
                        Arguments.of(PageIn.OPTIMISTIC, Kind.OUT_OF_MEMORY, false),
                        Arguments.of(PageIn.COALESCED, Kind.OUT_OF_MEMORY, false),
                        Arguments.of(PageIn.COALESCED, Kind.EXCEPTION, true)));
    }

    @ParameterizedTest
    @MethodSource("settings")
    void callThatFailsWhileOthersWaitLeavesNothingBehind(PageIn pageIn, Kind kind, boolean once) throws Exception {
        FailureInjection.failEachCall(() -> new TwoThreads(pageIn, FailureInjection.PATIENCE), kind, once);
    }

    @ParameterizedTest
    @EnumSource
    void handlerOfLongWaitsThatThrowsAnythingLeavesNothingBehind(Kind kind) throws Exception {
        for (PageIn pageIn : List.of(PageIn.OPTIMISTIC, PageIn.COALESCED)) {
            TwoThreads program = new TwoThreads(pageIn, Duration.ofMillis(2));
            program.handlerFails = true;
            program.runWithFailureAt(FailureInjection.MOST_CALLS, kind, true);
            program.expectHandlerCalled();
        }
    }

    /** Steps in which a second thread waits for the first one. */
    private final class TwoThreads extends FailureInjection {
        private final List<Worker<Void>> running = new ArrayList<>();

        TwoThreads(PageIn pageIn, Duration patience) throws IOException {
            super(Policies.DEFAULT, pageIn, patience);
        }

        /** Starts another thread, and goes on when it waits or has ended; if waits fail, when it has. */
        private void start(Work work) {
            Worker<Void> other = startToWait(work);
            if (handlerFails) {
                other.result();
            }
        }

        private Worker<Void> startToWait(Work work) {
            Worker<Void> other = workers.run(() -> attempt(work));
            running.add(other);
            other.awaitParkedOrDone();
            return other;
        }

        private void join() {
            running.forEach(Worker::result);
            running.clear();
        }

        @Override
        void run() {
            missWithWaiter();
            evictionWithWaiter();
            waitForFrame();
            for (LatchMode mode : LatchMode.values()) {
                waitForLatch(mode);
            }
            truncationWithUser();
            creationWithWaiter();
        }

        private void missWithWaiter() {
            AtomicBoolean begun = new AtomicBoolean();
            store.beforeRead(page -> {
                if (begun.compareAndSet(false, true)) {
                    start(() -> fix(page, LatchMode.SHARED));
                }
                return StampedStore.Outcome.GOOD;
            });
            fix(5, LatchMode.SHARED);
            join();
            begun.set(false);
            fix(6, LatchMode.EXCLUSIVE);
            join();
            store.beforeRead(page -> StampedStore.Outcome.GOOD);
        }

        private void evictionWithWaiter() {
            for (int page = 0; page < 4; page++) {
                fix(page, LatchMode.SHARED);
            }
            AtomicBoolean begun = new AtomicBoolean();
            calls.onClaim(() -> {
                if (begun.compareAndSet(false, true)) {
                    start(() -> {
                        for (int page = 0; page < 4; page++) {
                            fix(page, LatchMode.SHARED);
                        }
                    });
                }
            });
            fix(7, LatchMode.SHARED);
            calls.onClaim(() -> {});
            join();
        }

        private void waitForFrame() {
            List<AnyGuard> guards = new ArrayList<>();
            for (int page = 0; page < 4; page++) {
                AnyGuard guard = tryFix(page, page % 2 == 0 ? LatchMode.SHARED : LatchMode.UPGRADABLE);
                if (guard != null) {
                    guards.add(guard);
                }
            }
            startToWait(() -> fix(8, LatchMode.SHARED));
            startToWait(() -> fix(9, LatchMode.EXCLUSIVE));
            guards.forEach(AnyGuard::close);
            join();
        }

        private void waitForLatch(LatchMode mode) {
            AnyGuard guard = tryFix(2, LatchMode.EXCLUSIVE);
            start(() -> fix(2, mode));
            start(() -> fix(2, LatchMode.SHARED));
            if (guard != null) {
                guard.close();
            }
            join();
        }

        private void truncationWithUser() {
            AnyGuard guard = tryFix(11, LatchMode.SHARED);
            start(() -> file.truncate(KEPT));
            if (guard != null) {
                guard.close();
            }
            join();
        }

        private void creationWithWaiter() {
            AtomicBoolean begun = new AtomicBoolean();
            store.beforeWrite(page -> {
                if (begun.compareAndSet(false, true)) {
                    start(this::create);
                    start(() -> file.truncate(KEPT));
                }
                return StampedStore.Outcome.GOOD;
            });
            create();
            join();
            store.beforeWrite(page -> StampedStore.Outcome.GOOD);
        }
    }
}
