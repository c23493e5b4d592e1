// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.pages.driver;

import io.clockhand.duel.SliceClock;
import io.clockhand.page.BufferPool;
import io.clockhand.workbench.pages.driver.Timed.Percentiles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
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
import java.util.function.DoubleConsumer;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/**
 * The threads of a run. They start together, once or several times; each continues where it stopped.
 *
 * <p>Each thread publishes its progress in a cell of its own of {@code played}, with release order, so the sum of the
 * cells is late by a few references of each thread. {@code stopped} and {@code sampling} are written by one thread and
 * read by all.
 */
public final class Players implements AutoCloseable {
    /** References between two checks of the flags, unless they are slow: a prime, so as to be in step with nothing. */
    private static final int CHUNK = 61;
    /** One reference in about five hundred is timed: less than one in a hundred of the time goes into it. */
    private static final int CHUNKS_PER_SAMPLE = 8;

    private static final int PADDING = 16;
    private static final long TICK_MILLIS = 200;
    private static final long POLL_MILLIS = 20;
    private static final double NANOS_PER_MICRO = 1_000;

    /**
     * Each made by its own thread, as its stream is, or those of two threads would share lines of the processor's
     * cache.
     */
    private final Player[] players;

    private final IntFunction<Player> maker;
    /** References between two checks of the flags. */
    private final int chunk;

    private final AtomicLongArray played;
    private final ExecutorService threads;
    private final CyclicBarrier start;
    private final CountDownLatch failed = new CountDownLatch(1);
    private final CountDownLatch rehearsed = new CountDownLatch(1);
    /** Of a duel; written before the threads begin. */
    private SliceClock clock;

    private volatile boolean stopped;
    private volatile boolean sampling;

    /** The work of a player in its thread. */
    private interface Work {
        void doWith(Player player, int number) throws Exception;
    }

    /** Receives the number of references played. */
    public interface Watch {
        void onTick(long played);
    }

    /**
     * Makes the threads, which wait.
     *
     * @param file the number of the file in the pool
     * @param count how many
     * @param streams makes the stream of a thread, from 0 to {@code count - 1}, in this thread
     * @param style of each
     */
    public Players(BufferPool pool, int file, int count, IntFunction<PageStream> streams, Style style) {
        players = new Player[count];
        chunk = style.isSlow() ? 1 : CHUNK;
        maker = t -> new Player(
                pool, file, streams.apply(t), count == 1 ? 0 : style.interleave(), style.log(), pace(style.rate(), t));
        played = new AtomicLongArray((count + 1) * PADDING);
        threads = Executors.newFixedThreadPool(count);
        start = new CyclicBarrier(count);
    }

    /**
     * How players play.
     *
     * @param interleave the references after which each of several threads yields; 0 for never
     * @param log appends the record of a change, and returns its LSN
     * @param rate references a second of all threads together, if they can keep it; 0 for as many as they can
     * @param isSlow whether a reference may take so long that each is published by itself
     */
    public record Style(int interleave, LongSupplier log, double rate, boolean isSlow) {

        /** Reads, as fast as they go. */
        public static Style reading(int interleave) {
            return new Style(interleave, () -> 0, 0, false);
        }
    }

    private Pace pace(double rate, int player) {
        return rate == 0 ? null : new Pace(rate / players.length, (double) player / players.length, () -> stopped);
    }

    /**
     * Plays the references {@code from} to {@code to - 1}: thread t of T plays those n with n mod T = t, which are the
     * next of its stream.
     */
    public void playReferences(long from, long to, Watch watch) throws Exception {
        await(
                begin((player, t) -> {
                    long left = shareBelow(to, t) - shareBelow(from, t);
                    while (left > 0 && !stopped) {
                        int count = (int) Math.min(chunk, left);
                        player.play(count);
                        left -= count;
                        publish(t, count);
                    }
                }),
                watch);
    }

    /** How many n &lt; {@code end} there are with n mod T = t. */
    private long shareBelow(long end, int t) {
        return (end - t + players.length - 1) / players.length;
    }

    /** Called by the measuring thread when the measured interval begins and when it ends; the players continue. */
    public interface Interval {
        /** For measuring the throughput alone. */
        Interval UNWATCHED = new Interval() {
            @Override
            public void begins() {}

            @Override
            public void ends() {}
        };

        void begins();

        void ends();
    }

    /** Measures the throughput of the threads; they cannot play again after it. */
    public Timed time(Timing timing, Interval interval, DoubleConsumer progress) throws Exception {
        if (timing.slices() != null) {
            return timeSlices(timing);
        }
        double whole = TimeUnit.SECONDS.toNanos((long) timing.warmupSeconds() + timing.seconds());
        long start = System.nanoTime();
        Watch watch = played -> progress.accept(Math.min(1, (System.nanoTime() - start) / whole));

        List<Future<Void>> ends = playOn();
        long warmup = TimeUnit.SECONDS.toNanos(timing.warmupSeconds());
        pause(warmup / 2, watch);
        endRehearsal();
        pause(warmup - warmup / 2, watch);
        sampling = true; // here and there
        long playedBefore = played();
        long begin = System.nanoTime();
        interval.begins();
        pause(TimeUnit.SECONDS.toNanos(timing.seconds()), watch);
        long accesses = played() - playedBefore;
        long nanos = System.nanoTime() - begin;
        interval.ends();
        sampling = false;
        stop();
        await(ends, watch);
        return new Timed(accesses, accesses * (double) TimeUnit.SECONDS.toNanos(1) / nanos, percentiles());
    }

    /** Plays while the referee of a duel permits it; the referee measures the throughput. */
    private Timed timeSlices(Timing timing) throws Exception {
        clock = SliceClock.open(Path.of(timing.slices()));
        sampling = true;
        List<Future<Void>> ends = playOn();
        clock.ready();
        while (!clock.isOver() && failed.getCount() > 0) {
            if (clock.slice() > 0 || clock.slice() < -timing.warmupSlices() / 2) {
                endRehearsal();
            }
            pause(TimeUnit.MILLISECONDS.toNanos(POLL_MILLIS), played -> {});
        }
        sampling = false;
        stop();
        await(ends, played -> {});
        return new Timed(0, 0, percentiles());
    }

    private Percentiles percentiles() {
        Histogram nanos = Player.newHistogram();
        made().forEach(player -> nanos.add(player.nanos()));
        return nanos.getTotalCount() == 0
                ? null
                : new Percentiles(micros(nanos, 50), micros(nanos, 95), micros(nanos, 99));
    }

    private static double micros(Histogram nanos, double percentile) {
        return nanos.getValueAtPercentile(percentile) / NANOS_PER_MICRO;
    }

    /**
     * Sets the threads to play until they are {@linkplain #stop stopped}; those that there is no processor for begin
     * when the others have {@linkplain #endRehearsal rehearsed}. Where threads outnumber processors by far the
     * compiler, one thread among them all, would get so little time that what is measured were code that is compiled
     * badly or not at all, and only where threads do not wait for each other.
     */
    private List<Future<Void>> playOn() {
        int processors = Runtime.getRuntime().availableProcessors();
        return begin((player, t) -> {
            if (t >= processors) {
                rehearsed.await();
            }
            SliceClock.Counter counter = clock == null ? null : clock.counter(t);
            for (int chunks = 1; !stopped; chunks++) {
                player.play(chunk);
                int count = chunk;
                if (sampling && chunks % CHUNKS_PER_SAMPLE == 0) {
                    player.playTimed(clock);
                    count++;
                }
                if (counter == null) {
                    publish(t, count);
                } else {
                    counter.add(count);
                }
            }
        });
    }

    /** Those that have begun; for when their threads have ended. */
    private Stream<Player> made() {
        return Arrays.stream(players).filter(Objects::nonNull);
    }

    /** From now on all threads play. */
    private void endRehearsal() {
        rehearsed.countDown();
    }

    private void publish(int player, int count) {
        int cell = (player + 1) * PADDING;
        played.setRelease(cell, played.getPlain(cell) + count);
    }

    /** The references played so far, or a few less of each thread. */
    public long played() {
        long sum = 0;
        for (int i = 1; i <= players.length; i++) {
            sum += played.getAcquire(i * PADDING);
        }
        return sum;
    }

    private void stop() {
        stopped = true;
        rehearsed.countDown();
    }

    private List<Future<Void>> begin(Work work) {
        List<Future<Void>> futures = new ArrayList<>();
        for (int t = 0; t < players.length; t++) {
            int number = t;
            futures.add(threads.submit(() -> {
                try {
                    awaitOthers();
                    if (players[number] == null) {
                        players[number] = maker.apply(number);
                    }
                    work.doWith(players[number], number);
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
    private void pause(long nanos, Watch watch) throws InterruptedException {
        long end = System.nanoTime() + nanos;
        for (long left = nanos; left > 0; left = end - System.nanoTime()) {
            if (failed.await(Math.min(left, TimeUnit.MILLISECONDS.toNanos(TICK_MILLIS)), TimeUnit.NANOSECONDS)) {
                return;
            }
            watch.onTick(played());
        }
    }

    /** Waits for the ends of all; throws the failure that ended one of them. */
    private void await(List<Future<Void>> futures, Watch watch) throws Exception {
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

    /** Changes of pages; for when the threads do not play. */
    public long changes() {
        return made().mapToLong(Player::changes).sum();
    }

    public long wrongPages() {
        return made().mapToLong(Player::wrongPages).sum();
    }

    /** In words; null if all were right. */
    public String firstWrong() {
        return made().map(Player::firstWrong)
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
