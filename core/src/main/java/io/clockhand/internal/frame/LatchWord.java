// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.frame;

/**
 * The latch of a page's frame, bit by bit; {@link Latches} changes it.
 *
 * <pre>
 *  63                     26 25       21 20 19 18 17 16 15               0
 * +-------------------------+-----------+--+--+--+--+--+------------------+
 * |         version         |  writers  | C| w| p| X| U|     sharers      |
 * +-------------------------+-----------+--+--+--+--+--+------------------+
 * </pre>
 *
 * <table>
 * <caption>The fields, and the threads that write them</caption>
 * <tr><th>field</th><th>meaning</th><th>written by</th></tr>
 * <tr><td>sharers</td><td>threads that read, or update rows of a page that allows that; they hold the page in its
 * frame, as a pin does</td><td>+1 while X and C
 * are clear and no thread waits to write; −1 by one of them</td></tr>
 * <tr><td>U</td><td>one thread reads and may go on to X</td><td>set while U and X are clear and no thread waits
 * to write, and p is clear or the thread's own; cleared by that thread, or turned into X by it</td></tr>
 * <tr><td>X exclusive</td><td>one thread writes</td><td>set while there are neither sharers nor U nor X, and p is
 * clear or the thread's own (or by the holder of U); cleared by that thread, together with a new version, unless it has
 * only read</td></tr>
 * <tr><td>C closed</td><td>the frame holds no page that could be read: no thread acquires the latch</td><td>set, with a
 * new version, by the thread that has claimed the frame, while no thread has the latch; cleared by the thread that has
 * loaded the next page</td></tr>
 * <tr><td>p promised</td><td>a waiting thread comes next: no other thread acquires U or X, but for the holder of U,
 * which may upgrade</td><td>set by that thread while it is clear; cleared by that thread, by the CAS with
 * which it acquires the latch, or when it gives up</td></tr>
 * <tr><td>w waited</td><td>a thread may be parked on the latch</td><td>set by a waiter after it has queued itself,
 * cleared by the transition that wakes it</td></tr>
 * <tr><td>writers</td><td>threads that wait for X; those past 31 are not counted</td><td>±1 by them</td></tr>
 * <tr><td>version</td><td>counts what may have changed the page: each hold of X, each closing; not the updates of
 * rows</td><td>+1 by the holder of X when it ends, unless it has only read; +1 together with C</td></tr>
 * </table>
 */
final class LatchWord {
    static final long SHARERS = 0xFFFFL;
    static final long UPGRADABLE = 1L << 16;
    static final long EXCLUSIVE = 1L << 17;
    static final long PROMISED = 1L << 18;
    static final long WAITED = 1L << 19;
    static final long CLOSED = 1L << 20;
    static final int WRITERS_SHIFT = 21;
    static final long WRITER_ONE = 1L << WRITERS_SHIFT;
    static final long WRITERS = 31L << WRITERS_SHIFT;
    static final int VERSION_SHIFT = 26;
    static final long VERSION_ONE = 1L << VERSION_SHIFT;
    static final long VERSION = -1L << VERSION_SHIFT;

    private LatchWord() {}

    /** Whether a thread has the latch in any mode, or waits for exclusive mode, or has a promise of it. */
    static boolean isHeld(long word) {
        return (word & (SHARERS | UPGRADABLE | EXCLUSIVE | PROMISED | WRITERS)) != 0;
    }

    static long closed(long word) {
        return ((word & VERSION) + VERSION_ONE) | CLOSED;
    }

    static boolean isExclusive(long word) {
        return (word & EXCLUSIVE) != 0;
    }

    static boolean isUpgradable(long word) {
        return (word & UPGRADABLE) != 0;
    }

    static boolean isClosed(long word) {
        return (word & CLOSED) != 0;
    }

    static int sharers(long word) {
        return (int) (word & SHARERS);
    }

    static int writers(long word) {
        return (int) ((word & WRITERS) >>> WRITERS_SHIFT);
    }

    static long version(long word) {
        return word >>> VERSION_SHIFT;
    }

    /** Names the holders of a latch for a message; {@code owner} holds it in upgradable mode or exclusively. */
    static String describe(long word, String owner) {
        StringBuilder text = new StringBuilder();
        if (isExclusive(word)) {
            text.append("latched to write by ").append(owner);
        } else if (isUpgradable(word)) {
            text.append("latched to upgrade by ").append(owner);
        }
        if (sharers(word) > 0) {
            text.append(text.length() > 0 ? " and " : "latched ").append("to read by ");
            text.append(sharers(word) == 1 ? "one thread" : sharers(word) + " threads");
        }
        if (writers(word) > 0) {
            text.append(text.length() > 0 ? "; " : "").append(writers(word)).append(" waiting to write");
        }
        return text.length() > 0 ? text.toString() : "not latched";
    }

    static String toString(long word) {
        return "[version=" + version(word) + ", sharers=" + sharers(word) + (isUpgradable(word) ? ", upgradable" : "")
                + (isExclusive(word) ? ", exclusive" : "") + (isClosed(word) ? ", closed" : "") + ", writers waiting="
                + writers(word)
                + ((word & WAITED) != 0 ? ", waited" : "") + ((word & PROMISED) != 0 ? ", promised" : "") + ']';
    }
}
