// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.flush;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.internal.pool.PoolOptions;
import io.clockhand.testing.Gate;
import io.clockhand.testing.Workers;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The threads of the flusher, with work that a test gives them. Threads park for a day, so one that is not woken never
 * comes.
 */
class FlusherThreadsTest {
    private static final Duration NEVER = Duration.ofDays(1);
    private static final long DAY = NEVER.toNanos();

    @RegisterExtension
    private final Workers workers = new Workers();

    private final Tasks tasks = new Tasks();
    private FlusherThreads threads;

    /** Tasks that steps take one by one. */
    private final class Tasks implements FlusherThreads.Work {
        private final AtomicInteger left = new AtomicInteger();
        private final AtomicInteger done = new AtomicInteger();
        private final AtomicInteger steps = new AtomicInteger();
        private final AtomicInteger failed = new AtomicInteger();
        private final Set<Thread> users = ConcurrentHashMap.newKeySet();
        /** Whether there may be something to do later though no task is left. */
        private volatile boolean isLeft = true;

        private volatile int wanted = 1;
        private volatile Step onStep = () -> {};
        private volatile Step onTask = () -> {};

        @Override
        public boolean isLeft() {
            return isLeft;
        }

        @Override
        public int wanted() {
            return left.get() > 0 ? wanted : 0;
        }

        @Override
        public boolean step() throws IOException {
            steps.getAndIncrement();
            users.add(Thread.currentThread());
            onStep.run();
            if (left.getAndUpdate(tasks -> Math.max(0, tasks - 1)) == 0) {
                return false;
            }
            onTask.run();
            done.getAndIncrement();
            return true;
        }

        @Override
        public void onFailure() {
            failed.getAndIncrement();
        }

        void add(int count) {
            left.getAndAdd(count);
            threads.nudge();
        }
    }

    private interface Step {
        void run() throws IOException;
    }

    private void open(int count) {
        open(count, NEVER, (what, waited) -> {
            throw new IllegalStateException("waited for " + what);
        });
    }

    private void open(int count, Duration longWait, BiConsumer<String, Duration> onLongWait) {
        threads = new FlusherThreads(tasks, options(longWait, onLongWait), count, DAY, DAY);
    }

    private void open(FlusherThreads.Work work) {
        threads = new FlusherThreads(work, options(NEVER, (what, waited) -> {}), 1, DAY, DAY);
    }

    private static PoolOptions options(Duration longWait, BiConsumer<String, Duration> onLongWait) {
        return new PoolOptions("", 1, 1, true, longWait, "", IllegalStateException::new, longWait, onLongWait);
    }

    @AfterEach
    void stop() {
        threads.stop();
        Workers.await(
                () -> tasks.users.stream().noneMatch(Thread::isAlive), "a thread of the flusher runs after the stop");
        assertThat(threads.running()).as("threads that run after the stop").isZero();
    }

    private void awaitDone(int count, String when) {
        Workers.await(() -> tasks.done.get() == count, "no thread of the flusher takes the work " + when);
    }

    /** Waits until no thread of the flusher runs, and each has parked. */
    private void awaitIdle() {
        Workers.await(
                () -> threads.running() == 0
                        && !tasks.users.isEmpty()
                        && tasks.users.stream().allMatch(FlusherThreadsTest::isParked),
                "the threads of the flusher do not park");
    }

    private static boolean isParked(Thread thread) {
        return thread.getState() == Thread.State.TIMED_WAITING;
    }

    // --- nudges ------------------------------------------------------------------------------------------------------

    @Test
    void nudgeWakesAThreadThatHasParked() {
        open(1);
        threads.start();
        awaitIdle();
        tasks.add(1);
        awaitDone(1, "of a nudge that came while it was parked");
        awaitIdle();
        tasks.add(3);
        awaitDone(4, "of a second nudge");
        assertThat(tasks.users).hasSize(1);
    }

    /** Then the thread runs still, so that the nudge wakes nobody. */
    @Test
    void nudgeThatComesWhileAThreadFindsNoWorkIsNotLost() {
        Gate looked = new Gate();
        SlowLook lateLook = new SlowLook(looked);
        open(lateLook);
        threads.start();
        looked.awaitReached();
        lateLook.hasWork = true;
        threads.nudge();
        looked.open();
        Workers.await(
                () -> lateLook.done, "no thread of the flusher takes the work that came while it looked for some");
    }

    /** Looks for work, then stops at a gate before it says that it has found none. */
    private final class SlowLook implements FlusherThreads.Work {
        private final Gate looked;
        private volatile boolean hasWork;
        private volatile boolean done;

        SlowLook(Gate looked) {
            this.looked = looked;
        }

        @Override
        public boolean isLeft() {
            return true;
        }

        @Override
        public int wanted() {
            return hasWork ? 1 : 0;
        }

        @Override
        public boolean step() {
            tasks.users.add(Thread.currentThread());
            boolean found = hasWork;
            looked.pass();
            hasWork &= !found;
            done |= found;
            return found;
        }

        @Override
        public void onFailure() {
            throw new AssertionError("no step fails here");
        }
    }

    @Test
    void threadThatTakesWorkStartsOrWakesAsManyAsAreWanted() {
        open(3);
        tasks.wanted = 3;
        Gate gate = new Gate();
        AtomicInteger inside = new AtomicInteger();
        tasks.onTask = () -> {
            threads.help();
            inside.getAndIncrement();
            gate.pass();
        };
        threads.start();
        awaitIdle();
        tasks.add(10);
        Workers.await(() -> inside.get() == 3, "fewer threads of the flusher write than are wanted");
        assertThat(threads.running()).as("threads that run").isEqualTo(3);
        gate.open();
        awaitDone(10, "of which there is much");
        awaitIdle();
        tasks.add(10);
        awaitDone(20, "after all have parked");
        assertThat(tasks.users).as("threads in three slots").hasSize(3);
    }

    // --- failures ----------------------------------------------------------------------------------------------------

    @Test
    void threadWhoseStepsFailTriesAgainWithoutANudge() {
        open(1);
        AtomicInteger running = new AtomicInteger(-1);
        tasks.onStep = () -> {
            if (tasks.failed.get() < 3) {
                throw new IOException("write");
            }
            running.set(threads.running());
        };
        threads.start();
        tasks.add(1);
        awaitDone(1, "after steps that have failed");
        assertThat(tasks.failed).as("failures that were reported").hasValue(3);
        assertThat(running).as("threads that run in a step after failures").hasValue(1);
        awaitIdle();
    }

    @Test
    void errorOfAStepEndsNoThread() {
        open(1);
        tasks.onStep = () -> {
            tasks.onStep = () -> {};
            throw new OutOfMemoryError("injected");
        };
        threads.start();
        tasks.add(1);
        awaitDone(1, "after an error");
        assertThat(tasks.users).hasSize(1);
        awaitIdle();
    }

    // --- pauses ------------------------------------------------------------------------------------------------------

    /** Holds the next step up. */
    private Gate gateAtTask() {
        Gate gate = new Gate();
        tasks.onTask = () -> {
            tasks.onTask = () -> {};
            gate.pass();
        };
        return gate;
    }

    @Test
    void pauseWaitsForTheStepThatIsUnderWayAndIsWokenByItsEnd() {
        open(1);
        threads.start();
        Gate gate = gateAtTask();
        tasks.add(1);
        gate.awaitReached();
        Workers.Worker<Integer> pause = workers.start(() -> {
            threads.pause();
            return tasks.done.get();
        });
        pause.awaitParkedOrDone();
        gate.open();
        Workers.await(pause::isDone, "the pause waits still, though the last step has ended,");
        assertThat(pause.result())
                .as("steps that have ended when the pause begins")
                .isEqualTo(1);
        threads.resume();
    }

    @Test
    void pauseBeginsAfterAStepThatHasFailed() {
        open(1);
        tasks.onStep = () -> {
            tasks.onStep = () -> {};
            throw new IOException("write");
        };
        threads.start();
        tasks.add(1);
        awaitDone(1, "after a failure");
        Workers.Worker<Void> pause = workers.run(threads::pause);
        Workers.await(pause::isDone, "the pause waits for a step that has failed, and is over,");
        pause.result();
        threads.resume();
    }

    @Test
    void noStepBeginsDuringAPauseAndItsEndWakesAThread() {
        open(1);
        threads.start();
        awaitIdle();
        threads.pause();
        int steps = tasks.steps.get();
        tasks.add(1);
        assertThat(tasks.steps).as("steps during a pause").hasValue(steps);
        threads.resume();
        awaitDone(1, "that came during a pause, when that has ended");
    }

    /** The pause gives up since a step does not end; threads that have parked meanwhile go on. */
    @Test
    void pauseThatGivesUpLetsTheThreadsGoOn() {
        Gate givingUp = new Gate();
        open(1, Duration.ofMillis(1), (what, waited) -> {
            givingUp.pass();
            throw new IllegalStateException("waited for " + what);
        });
        threads.start();
        Gate step = gateAtTask();
        tasks.add(1);
        step.awaitReached();
        Workers.Worker<Void> pause = workers.run(threads::pause);
        givingUp.awaitReached();
        step.open();
        awaitDone(1, "that it has begun before a pause");
        awaitIdle();
        tasks.add(1);
        givingUp.open();
        assertThat(pause.failure()).hasMessage("waited for the threads of the flusher, which write pages");
        awaitDone(2, "that came during a pause which has given up");
        tasks.add(1);
        awaitDone(3, "after a pause that has given up");
    }

    @Test
    void pauseOfAFlusherThatHasNoThreadBeginsAtOnce() {
        open(1);
        threads.pause();
        threads.start();
        tasks.left.set(1);
        Workers.await(() -> threads.running() == 0, "a thread of the flusher does not park during a pause");
        assertThat(tasks.steps).as("steps during a pause").hasValue(0);
        threads.resume();
        awaitDone(1, "when the pause has ended");
    }

    // --- the end of a thread -----------------------------------------------------------------------------------------

    /** Another thread makes a page dirty just then: it finds the slot empty, and starts a thread. */
    @Test
    void pageThatBecomesDirtyWhileTheLastThreadEndsGetsAThread() {
        FlusherThreads.Work ending = new FlusherThreads.Work() {
            @Override
            public boolean isLeft() {
                tasks.left.set(1);
                threads.start();
                return false; // as it looked before
            }

            @Override
            public int wanted() {
                return 1;
            }

            @Override
            public boolean step() throws IOException {
                return tasks.step();
            }

            @Override
            public void onFailure() {
                throw new AssertionError("no step fails here");
            }
        };
        open(ending);
        assertThat(threads.tryEnter(0, Thread.currentThread())).isTrue();
        assertThat(threads.tryEnd(0)).as("the thread ends").isTrue();
        awaitDone(1, "of a page that became dirty while the last one ended");
    }

    @Test
    void threadThatHasBeenIdleEndsAndTheNextWorkGetsAnother() {
        tasks.isLeft = false;
        threads = new FlusherThreads(tasks, options(NEVER, (what, waited) -> {}), 1, DAY, 1);
        for (int round = 1; round <= 3; round++) {
            tasks.left.set(1);
            threads.start();
            awaitDone(round, "though a thread was started for it");
            Workers.await(
                    () -> tasks.users.stream().noneMatch(Thread::isAlive),
                    "a thread of the flusher does not end though nothing is left");
            assertThat(threads.running()).as("threads that run").isZero();
            assertThat(tasks.users).as("threads that have worked").hasSize(round);
        }
    }

    @Test
    void threadThatIsLeftWorkStaysInItsSlot() {
        open(1);
        Thread self = Thread.currentThread();
        assertThat(threads.tryEnter(0, self)).isTrue();
        assertThat(threads.running()).isEqualTo(1);
        assertThat(threads.tryEnd(0)).as("the thread ends though work is left").isFalse();
        assertThat(threads.tryEnter(0, self)).as("the slot is empty").isFalse();
        assertThat(threads.running()).isEqualTo(1);
        tasks.isLeft = false;
        assertThat(threads.tryEnd(0)).as("the thread ends if no work is left").isTrue();
        assertThat(threads.running()).isZero();
    }

    @Test
    void stopEndsThreadsThatHaveParkedAlsoDuringAPause() {
        open(2);
        threads.start();
        awaitIdle();
        threads.pause();
        threads.stop();
        Workers.await(
                () -> tasks.users.stream().noneMatch(Thread::isAlive), "a thread that has parked runs after the stop");
    }
}
