// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.kv.driver;

import io.clockhand.example.Store;
import io.clockhand.example.StoreConfig;
import io.clockhand.example.Transaction;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** The example on the page pool, with a checkpoint every second in which something was written, as TuplDB's. */
final class ExampleKv implements KvStore {
    private static final int PAGE_BYTES = 4096;

    private final Store store;
    private final ScheduledExecutorService timer;
    private final ScheduledFuture<?> checkpoints;
    /** Written by threads that write, cleared before a checkpoint: one that is missed is made a second later. */
    private volatile boolean hasChanges;

    ExampleKv(Path folder, long cacheBytes, boolean forced) throws IOException {
        int frames = Math.toIntExact(Math.max(64, cacheBytes / PAGE_BYTES));
        store = Store.open(folder, new StoreConfig(PAGE_BYTES, frames, true, forced, Duration.ofMinutes(1)));
        timer = Executors.newSingleThreadScheduledExecutor(work -> {
            Thread thread = new Thread(work, "checkpoints");
            thread.setDaemon(true);
            return thread;
        });
        checkpoints = timer.scheduleWithFixedDelay(this::checkpoint, 1, 1, TimeUnit.SECONDS);
    }

    private void checkpoint() {
        if (hasChanges) {
            hasChanges = false;
            try {
                store.checkpoint();
            } catch (IOException e) {
                throw new IllegalStateException("no checkpoint could be made", e); // the close throws it again
            }
        }
    }

    private void changed() {
        if (!hasChanges) {
            hasChanges = true;
        }
    }

    @Override
    public byte[] get(byte[] key) throws IOException {
        try (Transaction transaction = store.begin()) {
            return transaction.get(key);
        }
    }

    @Override
    public void put(List<Map.Entry<byte[], byte[]>> entries) throws IOException {
        try (Transaction transaction = store.begin()) {
            for (Map.Entry<byte[], byte[]> entry : entries) {
                transaction.put(entry.getKey(), entry.getValue());
            }
            transaction.commit();
        }
        changed();
    }

    @Override
    public void put(byte[] key, byte[] value) throws IOException {
        try (Transaction transaction = store.begin()) {
            transaction.put(key, value);
            transaction.commit();
        }
        changed();
    }

    @Override
    public void scan(byte[] from, Visitor visitor) throws IOException {
        try (Transaction transaction = store.begin()) {
            transaction.scan(
                    from,
                    null,
                    (bytes, key, keyLength, value, valueLength) ->
                            visitor.visit(bytes, key, keyLength, bytes, value, valueLength));
        }
    }

    @Override
    public void close() throws IOException, InterruptedException, ExecutionException {
        timer.shutdown();
        timer.awaitTermination(Long.MAX_VALUE, TimeUnit.NANOSECONDS);
        if (checkpoints.isDone() && !checkpoints.isCancelled()) {
            checkpoints.get(); // throws what a checkpoint has thrown
        }
        store.close();
    }
}
