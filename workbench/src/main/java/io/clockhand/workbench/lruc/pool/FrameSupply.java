// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc.pool;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Frames for misses: from the free list, or else a victim. A miss that waits for a write before it gets one is a read
 * stall. Thread-safe.
 */
final class FrameSupply {
    /** Frames may also become clean without a signal. */
    private static final long RECHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final Frames frames;
    private final FrameLists lists;
    private final VictimSearch victims;
    private final FrameWriter writer;
    /** Null if there is none. */
    private final WriteBuffer buffer;
    /** Null if readers write concurrently. */
    private final ReentrantLock serial;

    FrameSupply(
            Frames frames,
            FrameLists lists,
            VictimSearch victims,
            FrameWriter writer,
            WriteBuffer buffer,
            boolean serialFlush) {
        this.frames = frames;
        this.lists = lists;
        this.victims = victims;
        this.writer = writer;
        this.buffer = buffer;
        this.serial = serialFlush ? new ReentrantLock() : null;
    }

    /** A miss of one thread. */
    static final class Miss {
        final ByteBuffer copy;
        boolean stalled;

        /**
         * Is used for all misses of a thread.
         *
         * @param copy for a page
         */
        Miss(ByteBuffer copy) {
            this.copy = copy;
        }
    }

    /**
     * {@return a frame, free and the caller's}
     *
     * @param miss is marked if it stalls
     * @throws IOException if a page could not be written, or no frame was found for a minute
     */
    int obtain(long page, Miss miss) throws IOException {
        long begin = System.nanoTime();
        while (true) {
            int frame = tryObtain(miss);
            if (frame >= 0) {
                return frame;
            }
            if (System.nanoTime() - begin > BoundedWaits.LONGEST_NANOS) {
                throw new IOException("no frame for page " + page
                        + " for a minute: all pages are in use, being written, or change again meanwhile");
            }
        }
    }

    private int tryObtain(Miss miss) throws IOException {
        int frame = frames.free.poll();
        if (frame >= 0) {
            return frame;
        }
        int slot = buffer == null ? WriteBuffer.NONE : buffer.poll();
        int found = victims.find(slot);
        if (slot != WriteBuffer.NONE) {
            buffer.submit(slot);
        }
        if (found >= 0) {
            return found;
        }
        miss.stalled = true;
        if (found == VictimSearch.NO_SLOT) {
            if (!buffer.retry()) {
                buffer.await(RECHECK_NANOS);
            }
        } else if (found == VictimSearch.NONE) {
            frames.free.await(RECHECK_NANOS);
        } else {
            writeAlone(~found, miss.copy);
            return lists.evictWritten(~found, false) ? ~found : FreeFrames.NONE;
        }
        return FreeFrames.NONE;
    }

    /** A page that cannot be written goes to the head, so that others are tried before it is again. */
    private void writeAlone(int frame, ByteBuffer copy) throws IOException {
        boolean written = false;
        boolean locked = false;
        try {
            locked = serial != null && lockSerial();
            writer.write(frame, copy);
            written = true;
        } finally {
            if (locked) {
                serial.unlock();
            }
            if (!written) {
                lists.moveToHead(frame);
            }
        }
    }

    /** {@return whether it was free in time} If not, the page is written all the same: the lock excludes no errors. */
    private boolean lockSerial() {
        return BoundedWaits.get(nanos -> serial.tryLock(nanos, TimeUnit.NANOSECONDS) ? 1 : 0) != 0;
    }
}
