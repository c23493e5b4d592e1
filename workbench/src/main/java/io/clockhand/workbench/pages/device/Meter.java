// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.pages.device;

import io.clockhand.workbench.pages.device.DeviceFigures.Requests;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.AtomicHistogram;

/** The requests of a device since a moment. Thread-safe; recording allocates nothing. */
final class Meter {
    private static final double SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final double MICRO = TimeUnit.MICROSECONDS.toNanos(1);

    private final long begin;
    private final long busyBefore;
    private final AtomicLong calls = new AtomicLong();
    private final AtomicLong late = new AtomicLong();

    final Latencies reads = new Latencies();
    final Latencies writes = new Latencies();

    /**
     * Makes a meter.
     *
     * @param busy how long the channels have been busy up to now, together
     */
    Meter(long now, long busy) {
        this.begin = now;
        this.busyBefore = busy;
    }

    /** Records that a call returned so much later than its requests ended; negative if earlier. */
    void recordReturn(long lateNanos) {
        calls.incrementAndGet();
        late.addAndGet(lateNanos);
    }

    DeviceFigures figures(long now, long busy, int channels) {
        double nanos = Math.max(1, now - begin);
        double served = (busy - busyBefore) / nanos;
        double inFlight = (reads.sum.get() + writes.sum.get()) / nanos;
        return new DeviceFigures(
                nanos / SECOND,
                reads.requests(nanos),
                writes.requests(nanos),
                served / channels,
                inFlight,
                Math.max(0, inFlight - served),
                late.get() / MICRO / Math.max(1, calls.get()));
    }

    /** The latencies of one kind of requests. */
    static final class Latencies {
        private static final long LONGEST = TimeUnit.HOURS.toNanos(1);
        private static final int DIGITS = 2;
        private static final double PERCENT_95 = 95;

        private final AtomicHistogram nanos = new AtomicHistogram(1000, LONGEST, DIGITS);
        private final AtomicLong sum = new AtomicLong();

        void record(long latency) {
            nanos.recordValue(Math.min(latency, LONGEST));
            sum.addAndGet(latency);
        }

        private Requests requests(double interval) {
            long count = nanos.getTotalCount();
            return new Requests(
                    count,
                    count * SECOND / interval,
                    sum.get() / MICRO / Math.max(1, count),
                    nanos.getValueAtPercentile(PERCENT_95) / MICRO);
        }
    }
}
