// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jmh;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Threads that write the full {@link BareBatch}es of other threads. Thread-safe. */
final class BareWriters implements AutoCloseable {
    private static final long CHECK_MILLIS = 100;
    private static final int MOST_CHECKS = 300;

    private final BlockingQueue<BareBatch> empty;
    private final BlockingQueue<BareBatch> full;
    private final AtomicLong written;
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean ended;
    private volatile Exception failure;

    /** Starts a thread for each number up to {@code count}, which uses one of the channels, and counts its pages. */
    BareWriters(int count, int batches, FileChannel[] channels, AtomicLong written) {
        this.empty = new ArrayBlockingQueue<>(batches);
        this.full = new ArrayBlockingQueue<>(batches);
        this.written = written;
        for (int i = 0; i < batches; i++) {
            empty.add(new BareBatch());
        }
        for (int i = 0; i < count; i++) {
            FileChannel channel = channels[i % channels.length];
            threads.add(new Thread(() -> write(channel), "bare-writer"));
            threads.get(i).setDaemon(true);
            threads.get(i).start();
        }
    }

    private void write(FileChannel channel) {
        ByteBuffer run = BareBatch.allocate();
        try {
            while (!ended) {
                BareBatch batch = full.poll(CHECK_MILLIS, TimeUnit.MILLISECONDS);
                if (batch != null) {
                    written.getAndAdd(batch.write(channel, run));
                    empty.add(batch);
                }
            }
        } catch (IOException | InterruptedException | RuntimeException e) {
            failure = e;
        }
    }

    /** {@return an empty batch, which is waited for while all are to be written} */
    BareBatch take() throws IOException {
        try {
            for (int i = 0; i < MOST_CHECKS && failure == null; i++) {
                BareBatch batch = empty.poll(CHECK_MILLIS, TimeUnit.MILLISECONDS);
                if (batch != null) {
                    return batch;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while all batches are to be written", e);
        }
        throw new IOException("no batch was written for long", failure);
    }

    /** Takes a full batch over, to write it. */
    void give(BareBatch batch) {
        full.add(batch);
    }

    /** Ends the threads; batches that are not written are lost. */
    @Override
    public void close() {
        ended = true;
        for (Thread thread : threads) {
            try {
                thread.join(CHECK_MILLIS * MOST_CHECKS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
