// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.replay.driver;

import io.clockhand.BufferPool;
import io.clockhand.workbench.workload.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLongArray;
import org.HdrHistogram.Histogram;

/**
 * The threads of a run. They are let loose together, once or several times; each goes on where it left off.
 *
 * <p>Each thread publishes how far it is in a cell of its own of {@code played}, with release order, and whoever sums the cells has a
 * figure that is late by a few references of each thread. {@code stopped} and {@code timing} are written by one thread and read by all.
 */
final class Players implements AutoCloseable {
    /** So many references between two looks at what is to be done: a prime, so as to be in step with nothing. */
    private static final int CHUNK = 61;
    /** One reference in about five hundred is timed: less than one in a hundred of the time goes into it. */
    private static final int CHUNKS_PER_SAMPLE = 8;

    private static final int PADDING = 16;
    private static final long TICK_MILLIS = 200;

    private final List<Player> players = new ArrayList<>();
    private final AtomicLongArray played;
    private final ExecutorService threads;
    private final CyclicBarrier start;
    private final CountDownLatch failed = new CountDownLatch(1);
    private final CountDownLatch rehearsed = new CountDownLatch(1);
    private volatile boolean stopped;
    private volatile boolean timing;

    /** What a player does in its thread. */
    private interface Work {
        void doWith(Player player, int number) throws Exception;
    }

    /** Is told how much has been played. */
    interface Watch {
        void onTick(long played);
    }

    Players(BufferPool pool, int file, int spread, Workload workload, int count, int interleave) {
        for (int t = 0; t < count; t++) {
            players.add(new Player(pool, file, spread, workload.references(t, count), count == 1 ? 0 : interleave));
        }
        played = new AtomicLongArray((count + 1) * PADDING);
        threads = Executors.newFixedThreadPool(count);
        start = new CyclicBarrier(count);
    }

    /** Plays the references {@code from} to {@code to - 1} of the workload: of each thread the part that it has of them. */
    void playReferences(long from, long to, Watch watch) throws Exception {
        await(
                begin((player, t) -> {
                    long left = shareBelow(to, t) - shareBelow(from, t);
                    while (left > 0 && !stopped) {
                        int chunk = (int) Math.min(CHUNK, left);
                        player.play(chunk);
                        left -= chunk;
                        publish(t, chunk);
                    }
                }),
                watch);
    }

    /** How many n &lt; {@code end} there are with n mod T = t. */
    private long shareBelow(long end, int t) {
        return (end - t + players.size() - 1) / players.size();
    }

    /**
     * Sets the threads to play until they are {@linkplain #stop stopped}; those that there is no processor for begin when the others have
     * {@linkplain #endRehearsal rehearsed}. Where threads outnumber processors by far the compiler, one thread among them all, would get so little
     * time that what is measured were code that is compiled badly or not at all, and only where threads do not wait for each other.
     */
    List<Future<Void>> playOn() {
        int processors = Runtime.getRuntime().availableProcessors();
        return begin((player, t) -> {
            if (t >= processors) {
                rehearsed.await();
            }
            for (int chunks = 1; !stopped; chunks++) {
                player.play(CHUNK);
                if (timing && chunks % CHUNKS_PER_SAMPLE == 0) {
                    player.playTimed();
                    publish(t, CHUNK + 1);
                } else {
                    publish(t, CHUNK);
                }
            }
        });
    }

    /** From now on all threads play. */
    void endRehearsal() {
        rehearsed.countDown();
    }

    private void publish(int player, int count) {
        int cell = (player + 1) * PADDING;
        played.setRelease(cell, played.getPlain(cell) + count);
    }

    /** The references played so far, or a few less. */
    long played() {
        long sum = 0;
        for (int i = 1; i <= players.size(); i++) {
            sum += played.getAcquire(i * PADDING);
        }
        return sum;
    }

    /** From now on, or from now on no more, references are timed here and there. */
    void time(boolean on) {
        timing = on;
    }

    void stop() {
        stopped = true;
        rehearsed.countDown();
    }

    private List<Future<Void>> begin(Work work) {
        List<Future<Void>> futures = new ArrayList<>();
        for (int t = 0; t < players.size(); t++) {
            int number = t;
            futures.add(threads.submit(() -> {
                try {
                    awaitOthers();
                    work.doWith(players.get(number), number);
                } catch (Throwable failure) {
                    stop();
                    failed.countDown();
                    throw failure;
                }
                return null;
            }));
        }
        return futures;
    }

    /** So that every player has a thread of its own, and none a start. */
    private void awaitOthers() throws InterruptedException {
        try {
            start.await();
        } catch (BrokenBarrierException e) {
            throw new IllegalStateException("another player was interrupted", e);
        }
    }

    /** Waits for so long, though no longer than until a player fails. */
    void pause(long nanos, Watch watch) throws InterruptedException {
        long end = System.nanoTime() + nanos;
        for (long left = nanos; left > 0; left = end - System.nanoTime()) {
            if (failed.await(Math.min(left, TimeUnit.MILLISECONDS.toNanos(TICK_MILLIS)), TimeUnit.NANOSECONDS)) {
                return;
            }
            watch.onTick(played());
        }
    }

    /** Waits for the ends of all; throws what ended one of them. */
    void await(List<Future<Void>> futures, Watch watch) throws Exception {
        Exception first = null;
        for (Future<Void> future : futures) {
            while (true) {
                try {
                    future.get(TICK_MILLIS, TimeUnit.MILLISECONDS);
                    break;
                } catch (TimeoutException e) {
                    watch.onTick(played());
                } catch (ExecutionException e) {
                    first = first == null && e.getCause() instanceof Exception cause
                            ? cause
                            : first == null ? e : first;
                    break;
                }
            }
        }
        if (first != null) {
            throw first;
        }
    }

    Histogram nanos() {
        Histogram all = Player.newHistogram();
        players.forEach(player -> all.add(player.nanos()));
        return all;
    }

    long wrongPages() {
        return players.stream().mapToLong(Player::wrongPages).sum();
    }

    /** In words; null if all were right. */
    String firstWrong() {
        return players.stream()
                .map(Player::firstWrong)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    @Override
    public void close() {
        stop();
        threads.shutdownNow();
    }
}
