// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.example;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.PoolFailedException;
import io.clockhand.io.FileOption;
import io.clockhand.io.PageStore;
import io.clockhand.page.BufferPoolBuilder;
import io.clockhand.testkit.DiskCrashedException;
import io.clockhand.testkit.DiskFault;
import io.clockhand.testkit.FaultRule;
import io.clockhand.testkit.SimulatedDisk;
import io.clockhand.wal.DiskLogs;
import io.clockhand.wal.LogFile;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The power fails in the middle of a call, a different one for each seed: of what was not forced some sectors survive.
 * Then it fails once more, often during the recovery. After that all transactions are there that were acknowledged, and
 * of others all changes or none. {@code -Dexample.power.seeds=2000} has more failures, {@code -Dexample.power.first=17}
 * begins with a seed.
 */
class PowerFailureTest {
    private static final int SEEDS = Work.amount("example.power.seeds", 30, 200, 2_000);
    private static final int FIRST = Integer.getInteger("example.power.first", 0);
    private static final int PAGE_BYTES = 1024;
    private static final int THREADS = 3;
    /** The power fails within the first calls of the disk. */
    private static final int CALLS = 400;

    /** All files on a simulated disk. */
    private static final class DiskStorage extends Storage {
        private final SimulatedDisk disk;

        DiskStorage(SimulatedDisk disk) {
            super(Path.of("disk"));
            this.disk = disk;
        }

        @Override
        PageStore pages(String name, int pageBytes) throws IOException {
            return disk.pages(name, pageBytes);
        }

        @Override
        LogFile log(long durableEnd) throws IOException {
            return DiskLogs.open(
                    LogFile.builder(folder)
                            .options(FileOption.CREATE)
                            .bufferBytes(16 << 10)
                            .segmentBytes(32 << 10)
                            .durableEnd(durableEnd),
                    disk);
        }

        @Override
        BufferPoolBuilder pool(BufferPoolBuilder builder) {
            return builder.tuning(t -> t.flushThreads((int) (disk.seed() % 3)).flushInterval(Duration.ofMillis(2)));
        }
    }

    @ParameterizedTest(name = "protected={0}")
    @ValueSource(booleans = {true, false})
    void acknowledgedTransactionsSurvive(boolean protectsPages) {
        run(protectsPages, PowerFailureTest::failTwice);
    }

    /** Each thread ends when a call of its own fails; the store is closed without writing, as the guide says. */
    @ParameterizedTest(name = "protected={0}")
    @ValueSource(booleans = {true, false})
    void acknowledgedTransactionsSurviveFailedWritesAndForces(boolean protectsPages) {
        run(protectsPages, PowerFailureTest::failWritesAndForces);
    }

    private interface DiskTest {
        /** {@return the number of transactions that survived} */
        long run(SimulatedDisk disk, StoreConfig config) throws Exception;
    }

    private static void run(boolean protectsPages, DiskTest test) {
        long transactions = 0;
        for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
            // without a journal the device must write a page whole
            SimulatedDisk disk = new SimulatedDisk(seed, protectsPages ? SimulatedDisk.SECTOR_BYTES : PAGE_BYTES);
            try {
                transactions +=
                        test.run(disk, new StoreConfig(PAGE_BYTES, 24, protectsPages, true, Duration.ofMinutes(1)));
            } catch (Exception | AssertionError e) {
                throw new AssertionError(
                        "fails with -Dexample.power.first=" + seed + ", protected=" + protectsPages + ": "
                                + e.getMessage() + "\n" + disk,
                        e);
            }
        }
        assertThat(transactions).as("transactions that survived").isGreaterThan(SEEDS);
    }

    private static long failWritesAndForces(SimulatedDisk disk, StoreConfig config) throws Exception {
        List<Plan> plans = plans(disk);
        Store store = new Store(new DiskStorage(disk), config);
        disk.faults().add(FaultRule.of(DiskFault.WRITE_ERROR).chance(0.02));
        disk.faults()
                .add(FaultRule.of(DiskFault.TORN_WRITE)
                        .in("log/0000000000001000.log")
                        .chance(0.01));
        disk.faults().add(FaultRule.of(DiskFault.FAILED_FORCE).chance(0.005));
        Threads.run(plans.stream()
                .<Threads.Task>map(plan -> () -> {
                    try {
                        runForEver(plan, store);
                    } catch (IOException | PoolFailedException e) {
                        // by an injected fault: the disk makes no other
                    }
                })
                .toList());
        disk.faults().clear();
        try {
            store.closeWithoutWriting();
        } catch (IOException e) {
            // the log has failed
        }
        if (disk.seed() % 2 == 0) {
            disk.crash();
        } else {
            disk.kill();
        }
        return check(disk, config, plans);
    }

    private static List<Plan> plans(SimulatedDisk disk) {
        List<Plan> plans = new ArrayList<>();
        for (int thread = 0; thread < THREADS; thread++) {
            plans.add(new Plan(disk.seed(), thread, PAGE_BYTES));
        }
        return plans;
    }

    private static long check(SimulatedDisk disk, StoreConfig config, List<Plan> plans) throws IOException {
        Store store = new Store(new DiskStorage(disk), config);
        for (Plan plan : plans) {
            plan.checkRecovered(store);
        }
        TreeCheck.check(store);
        store.close();
        return plans.stream().mapToLong(Plan::done).sum();
    }

    private static long failTwice(SimulatedDisk disk, StoreConfig config) throws Exception {
        List<Plan> plans = plans(disk);
        if (disk.seed() % 4 != 0) { // else the power fails while the store is created
            new Store(new DiskStorage(disk), config).close();
        }
        for (int failure = 0; failure < 2; failure++) {
            disk.faults()
                    .add(FaultRule.of(DiskFault.POWER_LOSS)
                            .skip(Math.floorMod(7 * disk.seed() + 131L * failure, CALLS))
                            .times(1));
            runUntilTheDiskCrashes(disk, config, plans);
            if (disk.seed() % 4 == 3 && failure == 0) {
                disk.kill();
            } else {
                disk.crash();
            }
            disk.faults().clear();
        }
        return check(disk, config, plans);
    }

    private static void runUntilTheDiskCrashes(SimulatedDisk disk, StoreConfig config, List<Plan> plans)
            throws Exception {
        Store store;
        try {
            store = new Store(new DiskStorage(disk), config);
        } catch (IOException | RuntimeException e) {
            throwUnlessCrashed(e);
            return;
        }
        untilTheDiskCrashes(() -> {
            for (Plan plan : plans) {
                plan.checkRecovered(store);
            }
            Threads.run(plans.stream()
                    .<Threads.Task>map(plan -> () -> untilTheDiskCrashes(() -> runForEver(plan, store)))
                    .toList());
        });
        untilTheDiskCrashes(store::closeWithoutWriting);
    }

    private static void runForEver(Plan plan, Store store) throws IOException {
        while (true) {
            plan.run(store);
            if (plan.done() % 16 == 0) {
                store.checkpoint();
            }
        }
    }

    private static void untilTheDiskCrashes(Threads.Task task) throws Exception {
        try {
            task.run();
        } catch (IOException | RuntimeException e) {
            throwUnlessCrashed(e);
        }
    }

    private static void throwUnlessCrashed(Exception failure) throws Exception {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof DiskCrashedException) {
                return;
            }
        }
        throw failure;
    }
}
