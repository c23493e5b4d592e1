// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.pages.driver;

import io.clockhand.page.BufferPool;
import io.clockhand.workbench.experiment.Timed;
import io.clockhand.workbench.experiment.Timed.Percentiles;
import io.clockhand.workbench.experiment.Timing;
import java.util.Objects;
import java.util.function.DoubleConsumer;
import java.util.function.IntFunction;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/** The threads that play references on a pool. */
public final class Players extends WorkThreads<Player> {
    /** References between two checks of the flags, unless they are slow: a prime, so as to be in step with nothing. */
    private static final int CHUNK = 61;

    private final BufferPool pool;
    private final int file;
    private final IntFunction<PageStream> streams;
    private final Style style;
    private final int chunk;

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

    /**
     * Makes the threads, which wait.
     *
     * @param file the number of the file in the pool
     * @param streams makes the stream of a thread, from 0 to {@code count - 1}, in this thread
     */
    public Players(BufferPool pool, int file, int count, IntFunction<PageStream> streams, Style style) {
        super(count);
        this.pool = pool;
        this.file = file;
        this.streams = streams;
        this.style = style;
        chunk = style.isSlow() ? 1 : CHUNK;
    }

    @Override
    protected Player make(int t) {
        Pace pace = style.rate() == 0 ? null : new Pace(style.rate() / count(), (double) t / count(), this::isStopped);
        return new Player(
                pool, file, streams.apply(t), chunk, count() == 1 ? 0 : style.interleave(), style.log(), pace);
    }

    /**
     * Plays the references {@code from} to {@code to - 1}: thread t of T plays those n with n mod T = t, which are the
     * next of its stream.
     *
     * @param watch receives the number of references played
     */
    public void playReferences(long from, long to, LongConsumer watch) throws Exception {
        await(
                begin((player, t) -> {
                    long left = shareBelow(to, t) - shareBelow(from, t);
                    while (left > 0 && !isStopped()) {
                        int references = (int) Math.min(chunk, left);
                        player.play(references);
                        left -= references;
                        publish(t, references);
                    }
                }),
                watch);
    }

    /** How many n &lt; {@code end} there are with n mod T = t. */
    private long shareBelow(long end, int t) {
        return (end - t + count() - 1) / count();
    }

    /** Measures the throughput of the threads; they cannot play again after it. */
    public Timed time(Timing timing, Interval interval, DoubleConsumer progress) throws Exception {
        Measured measured = measure(timing, interval, progress);
        return new Timed(
                measured.operations(),
                measured.operationsPerSecond(),
                micros(workers().stream().map(Player::nanos)));
    }

    /** For latencies in nanoseconds, which are then known to one in a hundred. */
    public static Histogram newHistogram() {
        return new Histogram(2);
    }

    /** Of the latencies of several threads; null if there are none. */
    public static Percentiles micros(Stream<Histogram> nanos) {
        Histogram all = newHistogram();
        nanos.forEach(all::add);
        return Percentiles.of(all);
    }

    /** Changes of pages; for when the threads do not play. */
    public long changes() {
        return workers().stream().mapToLong(Player::changes).sum();
    }

    public long wrongPages() {
        return workers().stream().mapToLong(Player::wrongPages).sum();
    }

    /** In words; null if all were right. */
    public String firstWrong() {
        return workers().stream()
                .map(Player::firstWrong)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }
}
