// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.PoolFailedException;
import io.clockhand.io.PageStore;
import io.clockhand.testing.Pools;
import io.clockhand.testing.Tier;
import io.clockhand.testing.Workers;
import io.clockhand.testkit.DiskCall;
import io.clockhand.testkit.DiskFault;
import io.clockhand.testkit.FaultRule;
import io.clockhand.testkit.SimulatedDisk;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * 33 threads read, change, create and prefetch pages, truncate, drop and reopen files, flush, force, make
 * checkpoints, resize the pool and exchange its policy on a disk whose calls fail at random, and are interrupted. No
 * update may be lost that was not reported to be, no thread may wait for long, and no call may throw what its
 * documentation does not have.
 *
 * <p>In one form a force that has failed is tried again, and one pool lives to the end. In the other it ends the pool:
 * the engine starts anew on what is left, by redo from the last checkpoint. Each runs until its threads have made many
 * updates, and met each fault. {@code -Dclockhand.faults.seconds=600} runs each form longer, {@code
 * -Dclockhand.faults.threads=64} with more threads than 33; {@code -Dclockhand.faults.seed} repeats the random
 * choices, though not the order of the threads.
 */
class FaultSoakTest {
    private static final int SECONDS = Integer.getInteger("clockhand.faults.seconds", 0);
    private static final int UPDATES = Tier.pick(2_000, 20_000, 400_000);
    /** The run ends at the first catch, which mostly comes within some thousand updates. */
    private static final int UPDATES_TO_CATCH = 1_000_000;
    /** The most updates from the opening of a pool to its end, if a failed force ends the pool. */
    private static final int UPDATES_OF_A_POOL = 4_000;

    private static final long MOST_STEP_NANOS = Duration.ofMinutes(3).toNanos();

    private static final List<DiskFault> FAULTS = List.of(
            DiskFault.READ_ERROR,
            DiskFault.WRITE_ERROR,
            DiskFault.NO_SPACE,
            DiskFault.SHORT_WRITE,
            DiskFault.TORN_WRITE,
            DiskFault.TRUNCATE_ERROR,
            DiskFault.INTERRUPT,
            DiskFault.FAILED_FORCE);

    /** The rules that a pool, a store or an engine could break. */
    enum Planted {
        NOTHING,
        /** A store drops a write now and then. */
        LOST_WRITE,
        /** An update is acknowledged, but the page does not have it. */
        LOST_UPDATE,
        /** Pages are written before the log. */
        LOG_RULE,
        /** A store does not report that it could not be forced. */
        SILENT_FORCE
    }

    private static final class Soak {
        final boolean failStop;
        final Planted planted;
        final long seed = Long.getLong("clockhand.faults.seed", System.nanoTime());
        final SplittableRandom random = new SplittableRandom(seed);
        final SimulatedDisk disk = new SimulatedDisk(seed, 128);
        final AtomicLong calls = new AtomicLong();
        final SoakEngine engine;
        private final long notBefore = System.nanoTime() + SECONDS * 1_000_000_000L;

        Soak(boolean failStop, Planted planted) throws IOException {
            this.failStop = failStop;
            this.planted = planted;
            UnaryOperator<PageStore> stores = store -> store;
            if (planted == Planted.LOST_WRITE) {
                stores = store -> replaced(store, "write", true);
            } else if (planted == Planted.SILENT_FORCE) {
                stores = store -> replaced(store, "force", false);
            }
            engine = new SoakEngine(disk, failStop, planted == Planted.LOG_RULE, stores);
            disk.setLatency(Soak::latencyNanos);
        }

        private static long latencyNanos(DiskCall call) {
            boolean isSlow = call.operation() == DiskCall.Operation.FORCE || call.position() / 512 % 16 == 0;
            return isSlow ? 20_000 : 0;
        }

        /** A store that leaves out a call now and then, or that never reports that it has failed. */
        private PageStore replaced(PageStore store, String name, boolean leavesOut) {
            return (PageStore) Proxy.newProxyInstance(
                    PageStore.class.getClassLoader(), new Class<?>[] {PageStore.class}, (proxy, method, arguments) -> {
                        boolean chosen = method.getName().equals(name);
                        if (chosen && leavesOut && calls.incrementAndGet() % 500 == 0) {
                            return null;
                        }
                        try {
                            return method.invoke(store, arguments);
                        } catch (InvocationTargetException e) {
                            if (chosen && !leavesOut) {
                                return null;
                            }
                            throw e.getCause();
                        }
                    });
        }

        private void addFaults() {
            add(DiskFault.READ_ERROR, 0.004);
            add(DiskFault.SHORT_READ, 0.004);
            add(DiskFault.WRITE_ERROR, 0.01);
            add(DiskFault.NO_SPACE, 0.02);
            add(DiskFault.SHORT_WRITE, 0.01);
            add(DiskFault.TORN_WRITE, 0.01);
            add(DiskFault.TRUNCATE_ERROR, 0.1);
            add(DiskFault.INTERRUPT, 0.02);
            disk.faults().add(FaultRule.delay(Duration.ofMillis(3)).chance(0.002));
            disk.faults().add(FaultRule.of(DiskFault.FAILED_FORCE).in("log").chance(0.02));
            disk.faults().add(FaultRule.of(DiskFault.FAILED_FORCE).in("master").chance(0.02));
            if (failStop) {
                for (int file = 0; file < SoakRun.FILES; file++) {
                    disk.faults()
                            .add(FaultRule.of(DiskFault.FAILED_FORCE)
                                    .in("pages-" + file)
                                    .skip(random.nextInt(60))
                                    .chance(0.3));
                }
            } else {
                disk.setHook(
                        call -> { // a force that loses nothing
                            boolean isForced = call.operation() == DiskCall.Operation.FORCE;
                            if (isForced && !call.file().startsWith("log") && calls.incrementAndGet() * 31 % 17 == 1) {
                                throw new IOException("injected: Input/output error");
                            }
                        });
            }
        }

        private void add(DiskFault fault, double chance) {
            disk.faults().add(FaultRule.of(fault).chance(chance));
        }

        private void endFaults() {
            disk.faults().clear();
            disk.setHook(call -> {});
            disk.setCapacityBytes(Long.MAX_VALUE);
        }

        void run(int updates) throws Exception {
            List<SoakLog.Entry> entries = List.of();
            boolean last = false;
            try {
                while (!last) {
                    SoakRun run = new SoakRun(engine, failStop, planted == Planted.LOST_UPDATE, random.nextLong());
                    for (int number = 0; number < SoakRun.FILES; number++) {
                        engine.open(run.pool(), engine.files.get(number));
                    }
                    engine.redo(run.pool(), entries);
                    addFaults();
                    long end = engine.counts.updates.sum() + random.nextInt(UPDATES_OF_A_POOL);
                    runThreads(run, () -> failStop ? engine.counts.updates.sum() >= end : isEnough(updates));
                    endFaults();
                    run.failed |= hasFailed(run.pool());
                    last = isEnough(updates) && !run.failed;
                    if (last) {
                        closeAndCheck(run.pool());
                    } else {
                        entries = stop(run);
                    }
                }
            } catch (Exception | AssertionError e) {
                throw new AssertionError("seed " + seed + ": " + e + "; " + disk, e);
            }
            System.out.printf("seed %d, %s; %s%n", seed, engine.counts, engine.faults());
        }

        private void runThreads(SoakRun run, BooleanSupplier isOver) throws InterruptedException {
            AtomicLongArray started = new AtomicLongArray(SoakRun.THREADS);
            List<Thread> threads = new ArrayList<>();
            for (int number = 0; number < SoakRun.THREADS; number++) {
                int thread = number;
                started.set(thread, System.nanoTime());
                threads.add(new Thread(
                        () -> run.work(thread, () -> started.set(thread, System.nanoTime())), "soak-" + thread));
                threads.get(thread).setDaemon(true);
            }
            threads.forEach(Thread::start);
            long failedAt = 0;
            while (threads.stream().anyMatch(Thread::isAlive)) {
                int chosen = random.nextInt(SoakRun.THREADS);
                threads.get(chosen).interrupt();
                engine.counts.interrupts.increment();
                threads.get(random.nextInt(SoakRun.THREADS)).join(1);
                long now = System.nanoTime();
                failedAt = run.failed && failedAt == 0 ? now : failedAt;
                run.over |= isOver.getAsBoolean() || (failedAt != 0 && now - failedAt > 50_000_000);
                for (int thread = 0; thread < SoakRun.THREADS; thread++) {
                    if (threads.get(thread).isAlive() && now - started.get(thread) > MOST_STEP_NANOS) {
                        throw hang(threads);
                    }
                }
            }
            if (run.wrong.get() != null) {
                throw new AssertionError(run.wrong.get().toString(), run.wrong.get());
            }
        }

        private static AssertionError hang(List<Thread> threads) {
            AssertionError hang = new AssertionError("threads hang");
            for (Thread thread : threads) {
                if (thread.isAlive()) {
                    Throwable stack = new Throwable(thread.getName() + ", " + thread.getState());
                    stack.setStackTrace(thread.getStackTrace());
                    hang.addSuppressed(stack);
                }
            }
            return hang;
        }

        /** {@return whether a force has failed, also if no call was refused for it yet} */
        private static boolean hasFailed(BufferPool pool) throws IOException {
            try {
                pool.flush();
                return false;
            } catch (PoolFailedException e) {
                return true;
            }
        }

        /** Ends a pool as if the machine had crashed, or only the process, or the engine had given up. */
        private List<SoakLog.Entry> stop(SoakRun run) throws IOException {
            int how = planted == Planted.NOTHING ? random.nextInt(3) : 0;
            if (how == 0) {
                disk.crash();
            } else if (how == 1) {
                disk.kill();
            }
            if (run.failed) {
                engine.counts.failedPools.increment();
            }
            awaitUnpinned(run.pool());
            try {
                run.pool().closeWithoutWriting();
            } catch (IOException e) {
                assertThat(how).as("%s", e).isLessThan(2);
            }
            return engine.recoverLog();
        }

        /** The flusher and prefetches pin pages for a while; nothing else does any more. */
        private static void awaitUnpinned(BufferPool pool) {
            Workers.await(() -> pool.stats().pinned() == 0, "pages stay pinned");
        }

        /** A clean close, after which a crash changes nothing. */
        private void closeAndCheck(BufferPool pool) throws IOException {
            engine.finish(pool);
            awaitUnpinned(pool);
            pool.checkIntegrity();
            pool.close();
            disk.crash();
            try (BufferPool again =
                    Pools.builder().pageBytes(SoakFile.PAGE_BYTES).frames(16).build()) {
                for (int number = 0; number < SoakRun.FILES; number++) {
                    engine.open(again, engine.files.get(number));
                    engine.files.get(number).checkAll(again);
                }
            }
        }

        /** Whether enough updates were made, and everything has happened that is to be survived. */
        private boolean isEnough(int updates) {
            return engine.counts.updates.sum() >= updates
                    && System.nanoTime() - notBefore >= 0
                    && (planted != Planted.NOTHING || missing().isEmpty());
        }

        private List<String> missing() {
            List<String> missing = new ArrayList<>();
            for (DiskFault fault : FAULTS) {
                if (disk.faults().count(fault) == 0) {
                    missing.add(fault.name());
                }
            }
            SoakEngine.Counts counts = engine.counts;
            LongAdder[] needed = {
                counts.updates,
                counts.acknowledged,
                counts.truncations,
                counts.drops,
                counts.reopened,
                counts.checkpoints,
                counts.resizes,
                counts.failures,
                counts.missing,
                failStop ? counts.failedPools : counts.steps
            };
            for (int i = 0; i < needed.length; i++) {
                if (needed[i].sum() == 0) {
                    missing.add("figure " + i);
                }
            }
            return missing;
        }
    }

    @Test
    void nothingIsLostWhileCallsFailAndForcesAreTriedAgain() throws Exception {
        new Soak(false, Planted.NOTHING).run(UPDATES);
    }

    @Test
    void nothingAcknowledgedIsLostWhenAFailedForceEndsThePool() throws Exception {
        new Soak(true, Planted.NOTHING).run(UPDATES);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NOTHING")
    @Tag("ci")
    void plantedFaultIsFound(Planted planted) {
        boolean crashes = planted == Planted.LOG_RULE || planted == Planted.SILENT_FORCE;
        assertThatThrownBy(() -> new Soak(crashes, planted).run(UPDATES_TO_CATCH))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("seed ");
    }
}
