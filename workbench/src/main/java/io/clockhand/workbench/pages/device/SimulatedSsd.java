// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.pages.device;

import io.clockhand.io.ForwardingPageStore;
import io.clockhand.io.PageStore;
import io.clockhand.workbench.workload.Hash;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * A store whose reads and writes take the time that they would take on an SSD, or on another device with channels. The
 * pages are those of another store, usually one in memory.
 *
 * <p>Requests wait in one queue, in the order in which they come, for the first channel that is free. So no page has a
 * channel of its own, as where the device decides where it writes. A call reserves time behind the requests that came
 * before it, passes the call on, and waits until its time has ended; so the device has no threads. A run is one request
 * for each of its pages, and returns when the last has ended. A call that fails takes its time, too. If requests of one
 * kind take no time, they do not wait for a channel either.
 *
 * <p>Only reads and writes take time. A write that has returned is on the device, so {@link #force} has nothing to wait
 * for; {@link #extend} and {@link #truncate} are as fast as those of the other store.
 *
 * <p>Latencies are right in the mean, not each by itself: see {@link DeviceFigures#lateMicros}. Channels do not depend
 * on when a thread returns: a request is served behind the one before it also if that was released early.
 *
 * <p>Thread-safe, but for the figures: one thread resets and reads them. An interrupt does not shorten a
 * call, and is kept.
 */
public final class SimulatedSsd extends ForwardingPageStore {
    private final DeviceProfile profile;
    private final Channels channels;
    private final EarlyRelease waits = new EarlyRelease();
    private final LongAdder reads = new LongAdder();
    private final LongAdder writes = new LongAdder();
    private final LongAdder calls = new LongAdder();
    /** How much later calls returned than their requests ended; negative if earlier. */
    private final LongAdder lateNanos = new LongAdder();

    /** Where the interval of the figures begins. */
    private long begin = System.nanoTime();
    /** How long the channels had been busy before, together. */
    private long busyBefore;

    private volatile boolean slowed = true;

    /**
     * Makes an idle device, which closes the store when it is closed.
     *
     * @param store has the pages
     * @param seed of the jitter: the n-th request is longer or shorter by the same part in every run
     */
    public SimulatedSsd(PageStore store, DeviceProfile profile, long seed) {
        super(store);
        this.profile = profile;
        channels = new Channels(profile.channels(), profile.jitter(), seed, begin);
    }

    /** Whether requests take their time, as they do at first; those that have begun wait to their end. */
    public void setSlowed(boolean isSlowed) {
        slowed = isSlowed;
    }

    /** Begins the interval of the {@linkplain #figures figures} anew: where the measured part of a run begins. */
    public void resetFigures() {
        begin = System.nanoTime();
        busyBefore = channels.busy(begin);
        Stream.of(reads, writes, calls, lateNanos).forEach(LongAdder::reset);
    }

    /** {@return what was done since they were reset, or since the device was made} */
    public DeviceFigures figures() {
        long now = System.nanoTime();
        double nanos = Math.max(1, now - begin);
        return new DeviceFigures(
                nanos / 1e9,
                reads.sum(),
                writes.sum(),
                (channels.busy(now) - busyBefore) / nanos / profile.channels(),
                lateNanos.sum() / 1e3 / Math.max(1, calls.sum()));
    }

    @Override
    public void read(long page, ByteBuffer target) throws IOException {
        long end = accept(1, profile.readNanos());
        try {
            store.read(page, target);
        } finally {
            complete(1, end, reads);
        }
    }

    @Override
    public void write(long page, ByteBuffer source) throws IOException {
        long end = accept(1, profile.writeNanos());
        try {
            store.write(page, source);
        } finally {
            complete(1, end, writes);
        }
    }

    @Override
    public void writeRun(long first, ByteBuffer source) throws IOException {
        int pages = source.remaining() / pageBytes();
        long end = accept(pages, profile.writeNanos());
        try {
            store.writeRun(first, source);
        } finally {
            complete(pages, end, writes);
        }
    }

    @Override
    public void writeBatch(long[] pages, int from, int to, ByteBuffer source) throws IOException {
        long end = accept(to - from, profile.writeNanos());
        try {
            store.writeBatch(pages, from, to, source);
        } finally {
            complete(to - from, end, writes);
        }
    }

    @Override
    public void extend(long pages) throws IOException {
        store.extend(pages);
    }

    /** {@return when the last of some requests ends that begin now} */
    private long accept(int requests, double nanos) {
        long now = System.nanoTime();
        long last = now;
        for (int i = 0; i < requests && nanos > 0 && slowed; i++) {
            last = Math.max(last, channels.accept(now, nanos));
        }
        return last;
    }

    /** Waits until requests have ended, and counts them. */
    private void complete(int requests, long end, LongAdder count) {
        waits.awaitMoment(end);
        count.add(requests);
        calls.increment();
        lateNanos.add(System.nanoTime() - end);
    }

    /**
     * The channels of a device, each of which serves one request at a time. Requests are served in the order in which
     * they come, each by the channel that is free first. Thread-safe.
     *
     * <p>They only keep account: a request gets the moment of its end when it comes, and its own thread waits for that.
     * The time for which request n is served depends on its kind, on the seed and on n alone. Moments are those of
     * {@link System#nanoTime}.
     */
    static final class Channels {
        private static final double HALF = 0x1p63;

        private final double jitter;
        /** Where the random numbers begin. */
        private final long begin;

        /** The end of the last request of each channel, the earliest first. */
        private final Queue<Long> ends = new PriorityQueue<>((one, other) -> Long.signum(one - other));
        /** How long all requests are served. */
        private long busy;

        private long requests;

        /** Idle ones; a request is longer or shorter by the part {@code jitter} of its time at most. */
        Channels(int count, double jitter, long seed, long now) {
            this.jitter = jitter;
            this.begin = Hash.begin(seed);
            ends.addAll(Collections.nCopies(count, now));
        }

        /**
         * Accepts a request.
         *
         * @param nanos how long requests of its kind are served in the mean
         * @return when it ends
         */
        synchronized long accept(long now, double nanos) {
            long service = Math.round(nanos * (1 + jitter * (Hash.of(begin, requests++) / HALF)));
            long free = ends.remove();
            long end = (free - now > 0 ? free : now) + service;
            busy += service;
            ends.add(end);
            return end;
        }

        /** How long they have been busy up to now, together: what they have accepted, less what is still to be done. */
        synchronized long busy(long now) {
            long left = 0;
            for (long end : ends) {
                left += Math.max(0, end - now);
            }
            return busy - left;
        }
    }

    /**
     * Waits for moments, and is right in the mean. Thread-safe.
     *
     * <p>A thread that parks runs again some 0.1 ms late, and later on a busy machine. Spinning for the last bit would
     * take processor time from the threads that are measured. So each thread parks for less than its wait, by the mean
     * lateness of the waits before: some are released early, others late. The mean is exponential, over some 32 waits,
     * and none counts for more than 5 ms, so a pause of the whole JVM is not made up for.
     */
    static final class EarlyRelease {
        private static final long MOST = TimeUnit.MILLISECONDS.toNanos(5);
        private static final int WAITS = 32;

        private final LongSupplier clock;
        private final LongConsumer park;
        /** Threads that store it concurrently lose one wait of the mean, which does not matter. */
        private final AtomicLong lateness = new AtomicLong();

        EarlyRelease() {
            this(System::nanoTime, LockSupport::parkNanos);
        }

        /** With a clock and a way to wait for some nanoseconds, for tests. */
        EarlyRelease(LongSupplier clock, LongConsumer park) {
            this.clock = clock;
            this.park = park;
        }

        /**
         * Waits for about this moment of the clock, {@link System#nanoTime}. An interrupt does not shorten the wait,
         * and is kept.
         */
        void awaitMoment(long moment) {
            long mean = lateness.get();
            long left = moment - mean - clock.getAsLong();
            if (left <= 0) {
                return;
            }
            boolean interrupted = false;
            while (left > 0) {
                park.accept(left);
                interrupted |= Thread.interrupted();
                left = moment - mean - clock.getAsLong();
            }
            lateness.lazySet(mean + (Math.min(-left, MOST) - mean) / WAITS);
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
