// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * How many threads advance the hand of a clock concurrently.
 *
 * <p>Positions are longs; {@link Math#floorMod(long, int)} turns one into a frame number, so that even an overflow
 * after 2⁶³ steps gives a valid frame (the published algorithm's hand was an int, and failed there). If only one
 * thread sweeps, all hands give the same positions.
 */
public enum ClockHand {
    /**
     * One shared counter. Each step of a sweep is one atomic add, so every position is scanned by exactly one sweep.
     */
    ATOMIC {
        @Override
        Position start(long at, int frames) {
            AtomicLong hand = new AtomicLong(at);
            return new Position() {
                @Override
                public long begin(Claims claims) {
                    return hand.getAndIncrement();
                }

                @Override
                public long next(long position) {
                    return hand.getAndIncrement();
                }

                @Override
                public void end(Claims claims, long begin, long last) {
                    // begin() and next() have added every step
                }

                @Override
                public long read() {
                    return hand.get();
                }
            };
        }
    },
    /**
     * The paper's hand: a striped counter. A sweep reads the sum, steps by itself, and at its end adds the distance
     * to its own stripe; it never stores a position. N concurrent sweeps scan the same frames and then advance the hand
     * N times as far, so some frames are skipped.
     */
    STRIPED {
        @Override
        Position start(long at, int frames) {
            StripedCounter hand = new StripedCounter(at);
            return new Position() {
                @Override
                public long begin(Claims claims) {
                    return hand.sum();
                }

                @Override
                public long next(long position) {
                    return position + 1;
                }

                @Override
                public void end(Claims claims, long begin, long last) {
                    hand.add(last - begin + 1);
                }

                @Override
                public long read() {
                    return hand.sum();
                }
            };
        }
    },
    /**
     * A shared counter from which each atomic add takes a range of positions. The unscanned remainder of a range
     * stays in the {@linkplain Claims#leaveRemainder claims} for the next sweep, so sweeps of different threads access
     * the words of different frames. Every position is scanned by at most one sweep. If more threads sweep
     * concurrently than the pool has claims that it uses again, some remainders are dropped and their frames are
     * scanned one revolution later. A remainder that is old lies behind the hand; therefore a range has at most 32
     * positions, and all remainders together have at most a quarter of the frames for which the hand was made. If the
     * pool has become smaller, they may be a larger part of it, and their frames are scanned out of turn.
     */
    BATCHED {
        @Override
        Position start(long at, int frames) {
            return new Ranges(at, frames);
        }
    };

    /** The default hand. */
    public static final ClockHand DEFAULT = BATCHED;

    /**
     * Makes a hand.
     *
     * @param at the position where it starts
     * @param frames about the number of frames of the pool
     * @return a new hand
     */
    abstract Position start(long at, int frames);

    /** {@return the name of this hand in options} */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** One hand, shared by the sweeps of a policy. */
    interface Position {
        /**
         * {@return the first position of a sweep}
         *
         * @param claims those of the search
         */
        long begin(Claims claims);

        /**
         * {@return the position after this one in the same sweep}
         *
         * @param position the position before
         */
        long next(long position);

        /** Ends a sweep that went from {@code begin} to {@code last}. */
        void end(Claims claims, long begin, long last);

        /** {@return the approximate position of the hand} */
        long read();
    }

    /**
     * A counter spread over padded cells: a thread adds to the cell that its id selects, a reader sums all cells. No
     * cell is bound to a thread, so threads may start and end. Every access is volatile; a sum that runs concurrently
     * with adds is some value in between.
     */
    private static final class StripedCounter {
        private static final int CELLS = 16;
        private static final int PADDING = 8;

        private final AtomicLongArray cells = new AtomicLongArray((CELLS + 1) * PADDING);

        StripedCounter(long initial) {
            cells.set(PADDING, initial);
        }

        void add(long delta) {
            long id = Thread.currentThread().getId();
            int cell = (int) ((id * 0x9E37_79B9_7F4A_7C15L) >>> 60);
            cells.getAndAdd((cell + 1) * PADDING, delta);
        }

        long sum() {
            long sum = 0;
            for (int cell = 1; cell <= CELLS; cell++) {
                sum += cells.get(cell * PADDING);
            }
            return sum;
        }
    }

    /**
     * See {@link #BATCHED}. The <i>hand</i> is changed by atomic adds only. A <i>remainder</i> is the next position
     * of a range that was begun. It lies in the claims, which belong to one sweep at a time. Where claims keep none, it
     * lies in a stripe that threads share: it is taken by an atomic exchange, so by one sweep, and stored with release
     * order.
     */
    private static final class Ranges implements Position {
        private static final int GREATEST_LENGTH = 32;
        private static final long NONE = Claims.NO_REMAINDER;
        private static final int STRIPES =
                Integer.highestOneBit(Math.min(64, 4 * Runtime.getRuntime().availableProcessors()));
        /** Longs from one stripe to the next: two cache lines, since processors prefetch lines in pairs. */
        private static final int STRIDE = 16;

        private static final AtomicLong CREATED = new AtomicLong();

        /** Names this hand in the claims. */
        private final long number = CREATED.incrementAndGet();

        private final long origin;
        private final int length;
        private final AtomicLong hand;
        private final AtomicLongArray remainders = new AtomicLongArray((STRIPES + 1) * STRIDE);

        Ranges(long origin, int frames) {
            this.origin = origin;
            this.length = Integer.highestOneBit(Math.max(1, Math.min(GREATEST_LENGTH, frames / (4 * STRIPES))));
            this.hand = new AtomicLong(origin);
            for (int i = 0; i < remainders.length(); i++) {
                remainders.setPlain(i, NONE);
            }
        }

        private static int stripe() {
            return (((int) Thread.currentThread().getId() & (STRIPES - 1)) + 1) * STRIDE;
        }

        private boolean isBeginning(long position) {
            return ((position - origin) & (length - 1)) == 0;
        }

        @Override
        public long begin(Claims claims) {
            long remainder = claims.takeRemainder(number);
            if (remainder == Claims.KEEPS_NO_REMAINDER) {
                remainder = remainders.getAndSet(stripe(), NONE);
            }
            return remainder != NONE ? remainder : hand.getAndAdd(length);
        }

        @Override
        public long next(long position) {
            long next = position + 1;
            return isBeginning(next) ? hand.getAndAdd(length) : next;
        }

        @Override
        public void end(Claims claims, long begin, long last) {
            long remainder = last + 1;
            if (!isBeginning(remainder) && !claims.leaveRemainder(number, remainder)) {
                remainders.setRelease(stripe(), remainder);
            }
        }

        @Override
        public long read() {
            return hand.get();
        }
    }
}
