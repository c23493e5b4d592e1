// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import java.util.Arrays;

/**
 * Several {@link TokenRing}s in a row, whose number is a power of two and grows. The caller says with which one to
 * begin; if that is full or empty, the others follow in turn.
 *
 * <p>{@code rings} is written by {@link #ensureCapacity} only, whose callers exclude each other, and read by all
 * threads (volatile). A ring never goes away: a thread that has read the old array may add a token to any of its rings.
 * Thread-safe.
 */
final class TokenRings {
    static final long NONE = TokenRing.NONE;

    private static final int LEAST_CELLS = 16;

    private volatile TokenRing[] rings;
    /** The tokens for which the rings that were added last have room. Accessed by {@link #ensureCapacity} only. */
    private long room;

    /**
     * Makes empty rings.
     *
     * @param number how many, a power of two
     * @param capacity the least number of tokens for which they have room together
     */
    TokenRings(int number, long capacity) {
        TokenRing[] made = new TokenRing[number];
        int each = cells(capacity / number + 1);
        Arrays.setAll(made, i -> new TokenRing(each));
        rings = made;
        room = capacity;
    }

    private static int cells(long tokens) {
        int cells = LEAST_CELLS;
        while (cells < tokens && cells < 1 << 29) {
            cells *= 2;
        }
        return cells;
    }

    /** Doubles the number of rings. Those that are added have room for as many tokens, so the others can run empty. */
    void ensureCapacity(long capacity) {
        if (room >= capacity) {
            return;
        }
        TokenRing[] had = rings;
        TokenRing[] more = Arrays.copyOf(had, 2 * had.length);
        int each = cells(capacity / had.length + 1);
        for (int i = had.length; i < more.length; i++) {
            more[i] = new TokenRing(each);
        }
        rings = more;
        room = (long) each * had.length;
    }

    /** {@return the number of rings} */
    int number() {
        return rings.length;
    }

    /** {@return how many tokens its ring had been given before; or NONE if no ring has a cell for the token} */
    long offer(int first, long token) {
        TokenRing[] now = rings;
        for (int i = 0; i < now.length; i++) {
            long position = now[first + i & now.length - 1].offer(token);
            if (position != NONE) {
                return position;
            }
        }
        return NONE;
    }

    /** {@return whether every cell has a token; if not, a ring that takes none waits for a stalled thread} */
    boolean areFull() {
        for (TokenRing ring : rings) {
            if (ring.length() < ring.capacity()) {
                return false;
            }
        }
        return true;
    }

    /** {@return the first token of one ring, now of the caller; or NONE if it is empty} */
    long pollOne(int ring) {
        TokenRing[] now = rings;
        return now[ring & now.length - 1].poll();
    }

    /** {@return the first token of a ring, now of the caller; or NONE if all rings are empty} */
    long poll(int first) {
        TokenRing[] now = rings;
        for (int i = 0; i < now.length; i++) {
            long token = now[first + i & now.length - 1].poll();
            if (token != NONE) {
                return token;
            }
        }
        return NONE;
    }

    /** {@return the first token of the first ring that has one, which stays; or NONE} */
    long peek() {
        for (TokenRing ring : rings) {
            long token = ring.peek();
            if (token != NONE) {
                return token;
            }
        }
        return NONE;
    }

    /** Takes the first token of a ring if it is this one; {@return whether the caller owns it now} */
    boolean pollIf(long token) {
        for (TokenRing ring : rings) {
            if (ring.pollIf(token)) {
                return true;
            }
        }
        return false;
    }

    /** {@return the ring with the fewest tokens} */
    int shortest() {
        TokenRing[] now = rings;
        int shortest = 0;
        int least = Integer.MAX_VALUE;
        for (int i = 0; i < now.length; i++) {
            int length = now[i].length();
            if (length < least) {
                least = length;
                shortest = i;
            }
        }
        return shortest;
    }

    /** {@return a token of one of the rings, in turn, and in order of age; or NONE} Exact if no thread changes them. */
    long peek(int ring, int offset) {
        return rings[ring].peek(offset);
    }

    /** {@return the number of tokens; approximate while other threads add or take some} */
    int length() {
        int length = 0;
        for (TokenRing ring : rings) {
            length += ring.length();
        }
        return length;
    }

    /** {@return the number of tokens in the longest ring} */
    int longest() {
        int longest = 0;
        for (TokenRing ring : rings) {
            longest = Math.max(longest, ring.length());
        }
        return longest;
    }
}
