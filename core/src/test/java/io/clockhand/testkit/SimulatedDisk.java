// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.testkit;

import io.clockhand.io.FilePageStore;
import io.clockhand.io.PageStore;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToLongFunction;

/**
 * A disk in memory for tests of crashes and of faults, with any number of files. An engine keeps its pages, its log
 * and its master record on it; the test crashes the disk, opens the engine again, and checks what it has recovered.
 *
 * <p><b>Two views.</b> Reads see the cache, which has all that was written. A crash leaves what is on the device: all
 * that was written before the last successful force of its file, and a part of the rest. Of each later write, all
 * sectors survive, none, or some; a write may survive though an earlier one does not. Of the changes of a file's length
 * since the force, a part from the beginning on survives. Bytes may survive without the length, and are discarded then;
 * a length may survive without the bytes, which are zero then. Creation and deletion of a file survive at once, unless
 * {@link #setNamesSurvive} says otherwise.
 *
 * <p><b>Faults.</b> {@link #faults} has rules for calls that fail, are short or slow, or interrupt their thread. In
 * addition the disk can be full, have a latency, and write at a limited rate.
 *
 * <p><b>Seed.</b> Every decision depends on the seed, and on the order of the calls. So a test that runs on one thread
 * repeats itself with the same seed. {@link #toString} has the seed, the rules, and the latest faults and crashes; the
 * exceptions of injected faults name the seed. {@link SeededDisks} runs a test with many seeds.
 *
 * <p>Thread-safe. Transfers of one file wait for each other only for the time of a copy in memory; latency, delays and
 * the turns of a limited rate are waited for without a lock.
 */
public final class SimulatedDisk {
    /** The size of a sector in bytes, if none is given. */
    public static final int SECTOR_BYTES = 512;

    /** What calls the directory of all files, in a {@link DiskCall}. */
    public static final String DIRECTORY = "the directory";

    /** Called by the calling thread before each read, write, truncation and force; for tests that order threads. */
    @FunctionalInterface
    public interface Hook {
        /**
         * Called before the call takes effect. May block, and throw.
         *
         * @param call the call
         * @throws IOException if the call is to fail
         */
        void before(DiskCall call) throws IOException;
    }

    private final long seed;
    private final int sectorBytes;
    private final DiskHistory history = new DiskHistory();
    private final DiskFaults faults;
    private final DiskSpace space = new DiskSpace();
    private final WriteTurns turns = new WriteTurns();
    private volatile Hook hook = call -> {};
    private volatile ToLongFunction<DiskCall> latency = call -> 0;

    // guarded by this
    private final Map<String, DiskFile> files = new TreeMap<>();
    /** Of names created or deleted since the names were forced: the files that had them then, or null. */
    private final Map<String, DiskFile> unforcedNames = new TreeMap<>();

    private boolean namesSurvive = true;
    private Boot boot = new Boot(1);

    /**
     * Makes an empty disk with sectors of {@link #SECTOR_BYTES}, unlimited space, and no faults.
     *
     * @param seed decides what survives a crash, and which calls meet the fault of a rule with a chance
     */
    public SimulatedDisk(long seed) {
        this(seed, SECTOR_BYTES);
    }

    /**
     * Makes an empty disk.
     *
     * @param seed see {@link #SimulatedDisk(long)}
     * @param sectorBytes the unit that a crash leaves whole, in bytes: a power of two from 16 to 65,536
     */
    public SimulatedDisk(long seed, int sectorBytes) {
        if (sectorBytes < 16 || sectorBytes > 1 << 16 || Integer.bitCount(sectorBytes) != 1) {
            throw new IllegalArgumentException(
                    "the sector size is " + sectorBytes + " bytes; it must be a power of two from 16 to " + (1 << 16));
        }
        this.seed = seed;
        this.sectorBytes = sectorBytes;
        this.faults = new DiskFaults(seed, history);
    }

    /** {@return the seed, from which a test draws its own random numbers as well} */
    public long seed() {
        return seed;
    }

    /** {@return the rules by which faults are injected, and the number of faults} */
    public DiskFaults faults() {
        return faults;
    }

    // --- files -------------------------------------------------------------------------------------------------------

    /**
     * Opens a file as a store of pages; creates it if it does not exist. If a file has several open stores, one pool at
     * a time can take one of them. An incomplete page at the end, which a torn write may leave, is ignored.
     *
     * @param name the name of the file
     * @param pageBytes the size of a page: a power of two from 512 to 65,536
     * @return the store, usable until the next crash
     * @throws DiskCrashedException if the power has failed
     */
    public PageStore pages(String name, int pageBytes) throws DiskCrashedException {
        FilePageStore.checkPageBytes(pageBytes);
        return new SimulatedPageStore(open(name, true), pageBytes);
    }

    /**
     * Opens a file of bytes; creates it if it does not exist.
     *
     * @param name the name of the file
     * @return the file, usable until the next crash
     * @throws DiskCrashedException if the power has failed
     */
    public SimulatedFile file(String name) throws DiskCrashedException {
        return new SimulatedFile(open(name, false));
    }

    private synchronized OpenFile open(String name, boolean isPaged) throws DiskCrashedException {
        boot.check("open " + name);
        DiskFile file = files.get(name);
        if (file == null) {
            noteName(name);
            file = new DiskFile(name, sectorBytes, space);
            files.put(name, file);
        }
        return new OpenFile(this, file, boot, isPaged);
    }

    /** Before the name is created or deleted. */
    private void noteName(String name) {
        if (!namesSurvive && !unforcedNames.containsKey(name)) {
            unforcedNames.put(name, files.get(name));
        }
    }

    /** {@return the names of the files, in order} */
    public synchronized Set<String> fileNames() {
        return new TreeSet<>(files.keySet());
    }

    synchronized void delete(DiskFile file, Boot opened, String what) throws IOException {
        opened.check(what);
        if (!file.equals(files.get(file.name()))) {
            throw new IOException("cannot " + what + ": it was deleted before");
        }
        noteName(file.name());
        files.remove(file.name());
        file.free();
    }

    /**
     * Brings the creations and deletions of all files to the device, as a force of their directory does. A call of the
     * operation FORCE on the file {@value #DIRECTORY}, for faults and hooks.
     *
     * @throws DiskCrashedException if the power has failed
     * @throws IOException if that failed: then a later call can succeed
     */
    public void forceNames() throws IOException {
        String what = "force the directory";
        Boot opened;
        synchronized (this) {
            opened = boot;
        }
        opened.check(what);
        DiskCall call = new DiskCall(DiskCall.Operation.FORCE, DIRECTORY, 0, 0, false);
        Injection injection = begin(what, call, false, opened);
        if (injection.isInterrupting()) {
            Thread.currentThread().interrupt();
        }
        synchronized (this) {
            opened.check(what);
            if (injection.is(DiskFault.POWER_LOSS)) {
                opened.end("the power failed during the " + call);
                opened.check(what);
            }
            if (injection.is(DiskFault.FAILED_FORCE)) {
                throw failure(what, DiskFault.FAILED_FORCE);
            }
            unforcedNames.clear();
        }
    }

    // --- crashes -----------------------------------------------------------------------------------------------------

    /**
     * Crashes the machine and starts it again: the seed decides which of the writes that were not forced have survived.
     * Files and stores that were opened before fail each call with a {@link DiskCrashedException}; waiting calls end
     * soon. Faults stay as they are.
     */
    public synchronized void crash() {
        boot.end("the machine crashed");
        loseNames();
        for (DiskFile file : files.values()) {
            history.add("crash in boot " + boot.number() + ", " + file.crash(random(file)));
        }
        boot = new Boot(boot.number() + 1);
    }

    /** Lets each name that was not forced be as it was, or as it is. */
    private void loseNames() {
        unforcedNames.forEach((name, before) -> {
            boolean survives =
                    Seeds.random(seed, boot.number(), ~name.hashCode()).nextBoolean();
            history.add("crash in boot " + boot.number() + ", the "
                    + (files.containsKey(name) ? "creation" : "deletion") + " of " + name
                    + (survives ? " survives" : " is lost"));
            if (!survives) {
                DiskFile now = before == null ? files.remove(name) : files.put(name, before);
                if (now != null) {
                    now.free();
                }
            }
        });
        unforcedNames.clear();
    }

    private SplittableRandom random(DiskFile file) {
        return Seeds.random(seed, boot.number(), file.name().hashCode());
    }

    /**
     * Kills the process: as {@link #crash}, but every write stays in the cache, as the operating system keeps it. A
     * later crash can lose those that were not forced.
     */
    public synchronized void kill() {
        boot.end("the process was killed");
        history.add("process killed in boot " + boot.number());
        boot = new Boot(boot.number() + 1);
    }

    // --- properties --------------------------------------------------------------------------------------------------

    /**
     * Sets whether creations and deletions of files survive a crash at once, as they do unless this is false. If not,
     * those before the last {@link #forceNames} survive; of each later name the seed decides whether it is as it was
     * then, or as it is.
     *
     * @param survive whether they do
     */
    public synchronized void setNamesSurvive(boolean survive) {
        namesSurvive = survive;
    }

    /**
     * Limits the space of all files. A write that needs more fails, and writes nothing. Files need space for sectors
     * that were written, not for gaps.
     *
     * @param bytes the space in bytes
     */
    public void setCapacityBytes(long bytes) {
        space.setCapacity(bytes);
    }

    /** {@return the space of all files in bytes} */
    public long capacityBytes() {
        return space.capacity();
    }

    /** {@return how much space the files use, in bytes} */
    public long usedBytes() {
        return space.used();
    }

    /**
     * Limits the rate at which pages are written: the writes of all page stores wait in line for their turns. Files of
     * bytes are not limited.
     *
     * @param pagesPerSecond the number of pages per second; infinity for no limit
     */
    public void setWriteRate(double pagesPerSecond) {
        turns.setRate(pagesPerSecond);
    }

    /**
     * Gives the disk a latency.
     *
     * @param nanos returns for a call how long it takes at least, in nanoseconds; called by many threads
     */
    public void setLatency(ToLongFunction<DiskCall> nanos) {
        latency = nanos;
    }

    /**
     * Sets what is called before each call, instead of an earlier one.
     *
     * @param before called by many threads
     */
    public void setHook(Hook before) {
        hook = before;
    }

    /** Waits for as long as a call takes; {@return its faults} */
    Injection begin(String what, DiskCall call, boolean isPaged, Boot opened) throws IOException {
        try {
            hook.before(call);
        } catch (IOException e) {
            throw new IOException("cannot " + what + ": " + e.getMessage(), e);
        }
        Injection injection = faults.inject(call);
        long now = System.nanoTime();
        long end = now + latency.applyAsLong(call) + injection.delayNanos();
        if (isPaged && call.operation() == DiskCall.Operation.WRITE) {
            end = Math.max(turns.nextEnd(now) - now, end - now) + now;
        }
        Pause.until(end, opened::isOver);
        return injection;
    }

    IOException failure(String what, DiskFault fault) {
        return new IOException("cannot " + what + ": " + fault.message() + " (" + fault
                + " injected by the simulated disk with seed " + seed + ")");
    }

    /** {@return the seed, the rules, and the latest faults and crashes: what a failed test should print} */
    @Override
    public synchronized String toString() {
        return "simulated disk with seed " + seed + " and sectors of " + sectorBytes + " bytes, in boot "
                + boot.number() + "; rules: " + faults + "; history: " + history;
    }
}
