// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.pool;

/**
 * Frames that a thread should have released and could not, since a table failed to unmap the identity or the stack was
 * used up. They stay as they are, and another thread releases them: the next one that needs a frame, waits for one of
 * them, checks the integrity, or closes the pool. A frame whose unmapping failed is thus never free, and not lost.
 *
 * <p><b>No call.</b> A thread without stack cannot call a method. So the handler of a failure adds an entry by itself,
 * in a few lines that are the same everywhere:
 *
 * <pre>{@code
 * synchronized (pending) {
 *     pending.entries[pending.count] = PendingReleases.PIN | frame;
 *     pending.count++;
 * }
 * }</pre>
 *
 * <p>If there are {@link #MOST} already, that throws, and the frame is lost; {@code checkIntegrity} names it. Each miss
 * releases all entries, so it would take as many threads that fail at a time, or as many failures between two misses.
 *
 * <p>All fields are guarded by the monitor of this object, but {@code count} may be read without it, to learn whether
 * there is anything to do.
 */
public final class PendingReleases {
    /** The greatest number of entries. */
    public static final int MOST = 1024;

    /**
     * A frame to be freed, which belongs to the thread that failed: it is claimed and its content is cleared, or it is
     * pinned once by that thread and empty. Its identity may be mapped or not.
     */
    public static final long FRAME = 0L << 32;
    /** A pin to be dropped. */
    public static final long PIN = 1L << 32;
    /** A share in the latch to be released. */
    public static final long SHARE = 2L << 32;
    /** An unpin to be completed; {@code before} is the state before it. */
    public static final long UNPINNED = 3L << 32;

    /** The number of entries. */
    public volatile int count;
    /** By entry: the frame, and one of the constants above. */
    public final long[] entries = new long[MOST];
    /** By entry: the state before an unpin. */
    public final long[] before = new long[MOST];
}
