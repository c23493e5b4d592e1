// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.kv.driver;

import io.clockhand.workbench.experiment.Order;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.DoubleConsumer;

/**
 * Commits until the process is killed, and the check of what is left. Each thread numbers its commits. The commit n
 * puts n under three keys of its thread: the first, and two that n determines. So the store must have the last commit
 * of each thread under its first key, and the others follow from it. When a commit returns, the thread writes n to a
 * mapped file, which outlives the process.
 *
 * @param acknowledged the mapped file
 * @param checks whether to check instead
 */
public record Commits(Engine engine, String folder, long cacheBytes, int threads, String acknowledged, boolean checks)
        implements Order<Commits.Found> {
    /** Keys of each thread: the entries of all need several times the cache. */
    private static final int SLOTS = 20_000;

    private static final int OTHER_SLOTS = 7;
    private static final int LATEST = 0;
    private static final int FIRST_SLOT = 1;
    private static final int FIRST_OTHER = FIRST_SLOT + SLOTS;
    private static final int KEYS_OF_A_THREAD = 1 << 20;
    private static final VarHandle LONGS = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

    /**
     * What a check has found.
     *
     * @param commits of all threads that are there
     * @param problem a commit that is lost, or is there in part, in words; null if there is none
     */
    public record Found(long commits, String problem) {}

    @Override
    public Found perform(DoubleConsumer progress) throws Exception {
        try (FileChannel channel = FileChannel.open(
                        Path.of(acknowledged),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE);
                KvStore store = KvStore.open(engine, Path.of(folder), cacheBytes, true)) {
            ByteBuffer last = channel.map(FileChannel.MapMode.READ_WRITE, 0, (long) threads * Long.BYTES);
            return checks ? check(store, last) : commit(store, last);
        }
    }

    private static byte[] key(int thread, long number) {
        return Entries.key((long) thread * KEYS_OF_A_THREAD + number);
    }

    /** The number of a commit under a key; 0 if there is none; negative if the value is not whole. */
    private long read(KvStore store, int thread, long number) throws Exception {
        byte[] value = store.get(key(thread, number));
        long commit = value == null ? 0 : Entries.number(value, 0);
        return value == null || Arrays.equals(value, Entries.value(commit, 0)) ? commit : -1;
    }

    /** Never returns, unless a thread fails. */
    private Found commit(KvStore store, ByteBuffer acknowledgements) throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        List<Future<Void>> ends = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
            int thread = t;
            ends.add(executor.submit(() -> {
                long last = read(store, thread, LATEST); // it may be one that was not acknowledged
                LONGS.setRelease(acknowledgements, thread * Long.BYTES, last);
                for (long n = last + 1; true; n++) {
                    byte[] value = Entries.value(n, 0);
                    store.put(List.of(
                            Map.entry(key(thread, LATEST), value),
                            Map.entry(key(thread, FIRST_SLOT + n % SLOTS), value),
                            Map.entry(key(thread, FIRST_OTHER + n % OTHER_SLOTS), value)));
                    LONGS.setRelease(acknowledgements, thread * Long.BYTES, n);
                }
            }));
        }
        for (Future<Void> end : ends) {
            end.get();
        }
        throw new IllegalStateException("the threads have ended");
    }

    private Found check(KvStore store, ByteBuffer acknowledgements) throws Exception {
        long commits = 0;
        String problem = null;
        for (int thread = 0; thread < threads && problem == null; thread++) {
            long latest = read(store, thread, LATEST);
            commits += latest;
            long returned = (long) LONGS.getAcquire(acknowledgements, thread * Long.BYTES);
            if (latest < returned || latest > returned + 1) {
                problem = "commit " + returned + " of thread " + thread + " was acknowledged, but the store ends with "
                        + latest;
            }
            for (int slot = 0; slot < SLOTS + OTHER_SLOTS && problem == null; slot++) {
                long expected = slot < SLOTS ? lastOf(latest, slot, SLOTS) : lastOf(latest, slot - SLOTS, OTHER_SLOTS);
                problem = compare(store, thread, FIRST_SLOT + slot, expected);
            }
        }
        return new Found(commits, problem);
    }

    /** The last number not above {@code latest} that leaves a remainder; 0 if there is none. */
    private static long lastOf(long latest, int remainder, int divisor) {
        return Math.max(0, latest - Math.floorMod(latest - remainder, divisor));
    }

    private String compare(KvStore store, int thread, int number, long expected) throws Exception {
        long found = read(store, thread, number);
        return found == expected
                ? null
                : "key " + number + " of thread " + thread + " has commit " + found + " instead of " + expected;
    }
}
