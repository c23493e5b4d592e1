// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.pages.device;

import io.clockhand.io.PageStore;
import java.io.IOException;
import java.nio.ByteBuffer;

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
 * <p>Thread-safe. An interrupt does not shorten a call, and is kept.
 */
public final class SimulatedSsd extends ForwardingStore {
    private final PageStore store;
    private final DeviceProfile profile;
    private final Channels channels;
    private final EarlyRelease waits = new EarlyRelease();
    private volatile Meter meter;

    /**
     * Makes an idle device, which closes the store when it is closed.
     *
     * @param store has the pages
     * @param seed of the jitter: the n-th request is longer or shorter by the same part in every run
     */
    public SimulatedSsd(PageStore store, DeviceProfile profile, long seed) {
        this.store = store;
        this.profile = profile;
        long now = System.nanoTime();
        channels = new Channels(profile.channels(), profile.jitter(), seed, now);
        meter = new Meter(now, 0);
    }

    @Override
    protected PageStore target() {
        return store;
    }

    public DeviceProfile profile() {
        return profile;
    }

    /** Begins the interval of the {@linkplain #figures figures} anew: where the measured part of a run begins. */
    public void resetFigures() {
        long now = System.nanoTime();
        meter = new Meter(now, channels.busy(now));
    }

    /** {@return what was done since they were reset, or since the device was made} */
    public DeviceFigures figures() {
        long now = System.nanoTime();
        return meter.figures(now, channels.busy(now), profile.channels());
    }

    @Override
    public void read(long page, ByteBuffer target) throws IOException {
        long begin = System.nanoTime();
        long end = accept(profile.readNanos(), begin);
        try {
            store.read(page, target);
        } finally {
            complete(begin, end, true);
        }
    }

    @Override
    public void write(long page, ByteBuffer source) throws IOException {
        long begin = System.nanoTime();
        long end = accept(profile.writeNanos(), begin);
        try {
            store.write(page, source);
        } finally {
            complete(begin, end, false);
        }
    }

    @Override
    public void writeRun(long first, ByteBuffer source) throws IOException {
        long begin = System.nanoTime();
        int pages = source.remaining() / pageBytes();
        long end = acceptAll(pages, begin);
        try {
            store.writeRun(first, source);
        } finally {
            if (pages > 0) {
                complete(begin, end, false);
            }
        }
    }

    @Override
    public void writeBatch(long[] pages, int from, int to, ByteBuffer source) throws IOException {
        long begin = System.nanoTime();
        long end = acceptAll(to - from, begin);
        try {
            store.writeBatch(pages, from, to, source);
        } finally {
            if (to > from) {
                complete(begin, end, false);
            }
        }
    }

    /** {@return when the last of some writes ends} All but that one are recorded. */
    private long acceptAll(int pages, long begin) {
        long longest = 0;
        for (int i = 0; i < pages; i++) {
            long latency = accept(profile.writeNanos(), begin) - begin;
            if (i > 0) {
                meter.writes.record(Math.min(latency, longest));
            }
            longest = Math.max(latency, longest);
        }
        return begin + longest;
    }

    /** {@return when the request ends} */
    private long accept(double nanos, long now) {
        return nanos == 0 ? now : channels.accept(now, nanos);
    }

    /** Waits until a request ends, and records it. */
    private void complete(long begin, long end, boolean isRead) {
        waits.awaitMoment(end);
        long now = System.nanoTime();
        Meter current = meter;
        (isRead ? current.reads : current.writes).record(now - begin);
        current.recordReturn(now - end);
    }
}
