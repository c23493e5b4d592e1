// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.frame;

/**
 * Waiting threads by frame: a hash table of lines, in which a line is found, and a waiter added or removed, in constant
 * time. Not thread-safe: the caller holds the monitor of the table. Only {@link #line}, called by a thread that is
 * about to wait, allocates, and it does so before it changes anything.
 */
final class WaiterTable {
    private static final int LEAST_BUCKETS = 4;

    /** Chains of lines; the length is a power of two. Null while no thread has waited. */
    private Line[] buckets;

    private int lines;
    private final int stripeBits;

    /** The waiters of one frame, by kind, each kind in order of arrival. */
    static final class Line {
        private final int frame;
        private final Waiter[] first = new Waiter[FrameWaiters.KINDS];
        private final Waiter[] last = new Waiter[FrameWaiters.KINDS];
        /** Whether an upgrader was chosen before the writers that wait, and none of these since. */
        private boolean writersWerePassed;

        private Line next;

        private Line(int frame) {
            this.frame = frame;
        }

        Waiter first(int kind) {
            return first[kind];
        }

        /**
         * {@return whether the turn belongs to waiters of another kind} One upgrader passes the writers that wait, then
         * it is the turn of one of these: each upgrader may write in its turn, so the next one would have waited while
         * a thread wrote, and might pass, too.
         */
        boolean isOthersTurn(int kind) {
            return kind == FrameWaiters.UPGRADABLE && writersWerePassed && first[FrameWaiters.WRITE] != null;
        }

        /** Takes out a waiter that was chosen. */
        void choose(int kind, Waiter waiter) {
            remove(kind, waiter);
            if (kind == FrameWaiters.UPGRADABLE) {
                writersWerePassed = first[FrameWaiters.WRITE] != null;
            } else if (kind == FrameWaiters.WRITE) {
                writersWerePassed = false;
            }
        }

        void addLast(int kind, Waiter waiter) {
            waiter.previous = last[kind];
            if (last[kind] == null) {
                first[kind] = waiter;
            } else {
                last[kind].next = waiter;
            }
            last[kind] = waiter;
        }

        void addFirst(int kind, Waiter waiter) {
            waiter.next = first[kind];
            if (first[kind] == null) {
                last[kind] = waiter;
            } else {
                first[kind].previous = waiter;
            }
            first[kind] = waiter;
        }

        void remove(int kind, Waiter waiter) {
            if (waiter.previous == null) {
                first[kind] = waiter.next;
            } else {
                waiter.previous.next = waiter.next;
            }
            if (waiter.next == null) {
                last[kind] = waiter.previous;
            } else {
                waiter.next.previous = waiter.previous;
            }
            waiter.previous = null;
            waiter.next = null;
        }

        private void endAll() {
            for (Waiter waiter : first) {
                for (; waiter != null; waiter = waiter.next) {
                    waiter.end();
                    Parking.unpark(waiter.thread);
                }
            }
        }

        boolean isEmpty() {
            for (Waiter waiter : first) {
                if (waiter != null) {
                    return false;
                }
            }
            return true;
        }
    }

    /** {@code stripeBits} of the lowest bits of a frame number are the same for all frames of this table. */
    WaiterTable(int stripeBits) {
        this.stripeBits = stripeBits;
    }

    /** {@return the line of a frame, or null if no thread waits} */
    Line find(int frame) {
        if (buckets == null) {
            return null;
        }
        Line line = buckets[bucket(frame, buckets.length)];
        while (line != null && line.frame != frame) {
            line = line.next;
        }
        return line;
    }

    /** {@return the line of a frame; a new one is empty} */
    Line line(int frame) {
        Line line = find(frame);
        if (line != null) {
            return line;
        }
        line = new Line(frame);
        if (buckets == null || lines == buckets.length) {
            grow();
        }
        add(line, buckets);
        lines++;
        return line;
    }

    /** Ends the waits of all waiters, which stay in their lines until they take themselves out. */
    void endAll() {
        if (buckets != null) {
            for (Line chain : buckets) {
                for (Line line = chain; line != null; line = line.next) {
                    line.endAll();
                }
            }
        }
    }

    private void grow() {
        Line[] grown = new Line[buckets == null ? LEAST_BUCKETS : 2 * buckets.length];
        if (buckets != null) {
            for (Line chain : buckets) {
                for (Line line = chain; line != null; ) {
                    Line next = line.next;
                    add(line, grown);
                    line = next;
                }
            }
        }
        buckets = grown;
    }

    private void add(Line line, Line[] to) {
        int bucket = bucket(line.frame, to.length);
        line.next = to[bucket];
        to[bucket] = line;
    }

    /** Removes a line if it is empty. */
    @SuppressWarnings("ReferenceEquality") // the very line
    void dropIfEmpty(Line line) {
        if (!line.isEmpty()) {
            return;
        }
        int bucket = bucket(line.frame, buckets.length);
        Line before = buckets[bucket];
        if (before == line) {
            buckets[bucket] = line.next;
        } else {
            while (before.next != line) {
                before = before.next;
            }
            before.next = line.next;
        }
        lines--;
    }

    private int bucket(int frame, int length) {
        return (frame >>> stripeBits) & (length - 1);
    }
}
