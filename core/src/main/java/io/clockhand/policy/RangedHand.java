// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The hand that many threads turn over {@link FrameCells}: one CAS takes a range of cells, which the thread's stripe
 * then passes one by one, so that misses of different threads meet seldom.
 *
 * <p>Ranges belong to <i>lanes</i>, in turn, each with a hand of its own. A thread takes ranges of its lane, so that it
 * meets the same frames again, whose words are in its processor's cache; but if another lane is behind, it takes one
 * from there. So all lanes turn at the same speed, however many threads miss. Stripes get their lanes in turn, when one
 * of their threads first needs a range: so the order of the victims does not depend on the id of the only thread that
 * misses.
 *
 * <p><b>Shared words.</b> A lane has the first cell of its next range, and above it the number of ranges that were
 * taken; it is changed by CAS, and stored when the pool grows. A stripe has the next cell of its range and, in another
 * word, its turn, 0 before it has one; both are loaded and stored with opaque order. {@code turns} is the number of
 * turns given out, by atomic adds; two threads of a stripe may take two, of which one stays. Nothing depends on these
 * words but the order in which frames are tried: two threads of a stripe may try the same cell, and a thread that
 * stalls may set its stripe back. If the threads of a stripe miss no more, others pass the rest of its range one
 * revolution later. {@code shape} is written under the pool's lock of growth (volatile). Thread-safe.
 */
final class RangedHand {
    private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);
    private static final int GREATEST_LENGTH = 16;
    private static final int RANGES_PER_LANE = 4;
    /** The number of ranges by which a lane may be ahead of another. */
    private static final int LEAD = 2;

    private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();
    private static final int MOST_LANES = Integer.highestOneBit(Math.min(8, PROCESSORS));
    /** A few for each processor; many threads share them. */
    private static final int STRIPES = Integer.highestOneBit(Math.min(64, 4 * PROCESSORS));

    private static final int TAKEN_SHIFT = 32;
    /** Of a stripe's words, behind its next cell. */
    private static final int TURN = 1;

    /** Longs from one word to the next: two cache lines, since processors prefetch lines in pairs. */
    private static final int STRIDE = 16;

    private final FrameCells cells;
    private final long[] stripes = new long[(STRIPES + 1) * STRIDE];
    private final long[] lanes = new long[(MOST_LANES + 1) * STRIDE];
    private final AtomicInteger turns = new AtomicInteger();
    private volatile Shape shape;

    /** Both numbers are powers of two. Ranges begin at multiples of their length, soon after a change at the latest. */
    private record Shape(int length, int lanes) {}

    RangedHand(FrameCells cells, int frames) {
        this.cells = cells;
        setFrames(frames);
    }

    /** Sets the number of frames that the cells have usually: all stripes together have a quarter of them at most. */
    void setFrames(int frames) {
        int length = Integer.highestOneBit(Math.max(1, Math.min(GREATEST_LENGTH, frames / (4 * STRIPES))));
        int number = Integer.highestOneBit(Math.max(1, Math.min(MOST_LANES, frames / (RANGES_PER_LANE * length))));
        for (int lane = 0; lane < number; lane++) {
            WORD.setOpaque(lanes, at(lane), (long) lane * length);
        }
        shape = new Shape(length, number);
    }

    private static int at(int number) {
        return (number + 1) * STRIDE;
    }

    private static int stripe() {
        return at((int) Thread.currentThread().getId() & (STRIPES - 1));
    }

    /** {@return the cell that the calling thread would try next} */
    int position() {
        return (int) (long) WORD.getOpaque(stripes, stripe());
    }

    /** {@return the cell that the calling thread tries now} The ring must have cells. */
    int begin() {
        return rangeAt(position());
    }

    int next(int cell) {
        return rangeAt(cell + 1);
    }

    /** The calling thread ends its search at this cell. */
    void end(int cell) {
        WORD.setOpaque(stripes, stripe(), cell + 1L);
    }

    /** {@return a cell that is among the next ones} */
    int oldest() {
        return (int) lane(0);
    }

    /** {@return the cell, or the first one of another range if it is the end of one} */
    private int rangeAt(int cell) {
        Shape now = shape;
        return (cell & (now.length - 1)) != 0 && cell < cells.end() ? cell : takeRange(now);
    }

    private int takeRange(Shape now) {
        for (; ; ) {
            int lane = laneToTurn(now);
            long word = lane(lane);
            int begin = (int) word;
            int next = begin + now.lanes * now.length;
            int end = cells.end();
            long taken = (word >>> TAKEN_SHIFT) + 1;
            long turned = taken << TAKEN_SHIFT | (next < end ? next : lane * now.length);
            if (WORD.compareAndSet(lanes, at(lane), word, turned)) {
                return begin < end ? begin : 0;
            }
        }
    }

    /** {@return the lane of the calling thread, or one that is behind it} */
    private int laneToTurn(Shape now) {
        int lane = turn() - 1 & now.lanes - 1;
        int most = taken(lane) - LEAD;
        for (int other = 0; other < now.lanes; other++) {
            int behind = taken(other) - most;
            if (behind < 0) {
                lane = other;
                most += behind;
            }
        }
        return lane;
    }

    /** {@return the turn of the calling thread's stripe, at least 1} */
    private int turn() {
        int at = stripe() + TURN;
        long turn = (long) WORD.getOpaque(stripes, at);
        if (turn == 0) {
            turn = turns.incrementAndGet();
            WORD.setOpaque(stripes, at, turn);
        }
        return (int) turn;
    }

    private int taken(int lane) {
        return (int) (lane(lane) >>> TAKEN_SHIFT);
    }

    private long lane(int lane) {
        return (long) WORD.getOpaque(lanes, at(lane));
    }
}
