// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.PoolFailedException;
import io.clockhand.page.BufferPool;
import io.clockhand.testkit.DiskCrashedException;
import io.clockhand.testkit.DiskFault;
import io.clockhand.testkit.FaultRule;
import io.clockhand.testkit.SimulatedDisk;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A small engine on a disk whose power fails in the middle of a call: some threads that change pages, a log, a master
 * record, and redo.
 */
public abstract class CrashEngine {
    /** For waits of the engine's pool. */
    public static final Duration PATIENCE = Patience.PATIENCE;

    private static final int CALLS = 150;

    /** Has the files. */
    protected final SimulatedDisk disk;

    /** The log, empty until it was recovered. */
    protected final CrashLog log;

    /** The master record. */
    protected final CrashMaster master;

    private final AtomicReference<Throwable> wrong = new AtomicReference<>();

    /**
     * Creates an engine.
     *
     * @param disk has its files
     * @throws IOException if the disk has crashed
     */
    protected CrashEngine(SimulatedDisk disk) throws IOException {
        this.disk = disk;
        this.log = new CrashLog(disk.file("log"));
        this.master = new CrashMaster(disk.file("master"));
    }

    /** Makes an engine on a disk, which may have been used before. */
    public interface Maker {
        /**
         * {@return the engine}
         *
         * @throws IOException if the disk has crashed
         */
        CrashEngine make() throws IOException;
    }

    /**
     * Prepares the files of a new disk.
     *
     * @throws IOException if the disk has crashed
     */
    protected abstract void create() throws IOException;

    /**
     * Does one piece of work of a thread.
     *
     * @param thread the number of the thread
     * @param random its random numbers
     * @throws IOException if the disk has crashed
     */
    protected abstract void step(int thread, SplittableRandom random) throws IOException;

    /**
     * Repeats the records that may be missing, and checks that nothing else differs.
     *
     * @throws IOException if the disk has crashed
     */
    protected abstract void recover() throws IOException;

    /** {@return the pool, which is closed in the end} */
    protected abstract BufferPool pool();

    private void work(int thread) {
        SplittableRandom random = new SplittableRandom(31 * disk.seed() + thread);
        try {
            while (wrong.get() == null) {
                step(thread, random);
            }
        } catch (DiskCrashedException | PoolFailedException end) {
            // the power is gone
        } catch (Throwable failure) {
            if (!isCausedByTheCrash(failure)) {
                wrong.compareAndSet(null, failure);
            }
        }
    }

    private static boolean isCausedByTheCrash(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof DiskCrashedException) {
                return true;
            }
        }
        return false;
    }

    private void stop() {
        try {
            pool().closeWithoutWriting();
        } catch (IOException e) {
            // the disk is gone
        }
    }

    private CrashEngine recovered() throws IOException {
        boolean right = false;
        try {
            recover();
            right = true;
        } finally {
            if (!right) {
                stop();
            }
        }
        return this;
    }

    private void run(int threads) throws InterruptedException {
        List<Thread> clients = new ArrayList<>();
        for (int number = 0; number < threads; number++) {
            int which = number;
            clients.add(new Thread(() -> work(which), "client-" + number));
        }
        clients.forEach(Thread::start);
        for (Thread client : clients) {
            client.join(Workers.LIMIT.toMillis());
            assertThat(client.isAlive()).as("%s hangs", client.getName()).isFalse();
        }
        assertThat(wrong.get()).isNull();
    }

    /**
     * Runs some threads until the disk crashes, twice, and recovers each time.
     *
     * @param disk the disk
     * @param threads the number of threads
     * @param maker makes the engines
     * @param last makes the engine that recovers the last time
     * @throws Exception if an engine fails otherwise than by the crash
     */
    public static void crashTwice(SimulatedDisk disk, int threads, Maker maker, Maker last) throws Exception {
        CrashEngine first = maker.make();
        first.create();
        for (int crash = 0; crash < 2; crash++) {
            CrashEngine engine = crash == 0 ? first : maker.make().recovered();
            disk.faults()
                    .add(FaultRule.of(DiskFault.POWER_LOSS)
                            .skip(Math.floorMod(7 * disk.seed() + 31L * crash, CALLS))
                            .times(1));
            engine.run(threads);
            engine.stop();
            if (crash == 0 && disk.seed() % 4 == 3) {
                disk.kill(); // the process ended, and what it has not forced is in the system's cache
            } else {
                disk.crash();
            }
            disk.faults().clear();
        }
        last.make().recovered().stop();
    }
}
