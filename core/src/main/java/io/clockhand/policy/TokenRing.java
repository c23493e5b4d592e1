// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A bounded first-in, first-out queue of numbers from 0. Nothing here allocates after construction, waits or throws.
 *
 * <p>After D. Vyukov's bounded queue. {@code HEAD} and {@code TAIL} count the tokens taken and added. A cell has two
 * words: the <i>turn</i>, which is the position at which the cell can be used next (that of the adder if the cell is
 * empty, that of the adder + 1 if it is full), and the token.
 *
 * <table>
 * <caption>The shared words</caption>
 * <tr><th>word</th><th>written by</th><th>order, and what it pairs with</th></tr>
 * <tr><td>TAIL</td><td>an adder, by CAS from the position whose turn it has seen</td><td>the CAS makes the adder the
 * owner of the cell</td></tr>
 * <tr><td>HEAD</td><td>a taker, likewise</td><td>the CAS makes the taker the owner of the token; {@link #peek} loads it
 * again, to see that the token was not taken</td></tr>
 * <tr><td>token</td><td>the adder that owns the cell</td><td>opaque; the turn that follows orders it</td></tr>
 * <tr><td>turn</td><td>the owner of the cell</td><td>release, after its access to the token; pairs with the acquire
 * load of the next owner</td></tr>
 * </table>
 *
 * <p>It takes no lock, but is not lock-free: an adder that stalls between its CAS and its store hides the tokens that
 * were added after its own, and a taker that stalls there makes the ring seem full to the adder that comes round to its
 * cell. So callers of {@link #offer} and {@link #poll} have an answer to both. Thread-safe.
 */
class TokenRing {
    /** Returned when the ring is empty or full, or seems so. */
    static final long NONE = -1;

    private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);
    /** Two cache lines lie between the head and the tail, and around them, since processors prefetch in pairs. */
    private static final int HEAD = 16;

    private static final int TAIL = 32;
    private static final int POSITIONS = 48;
    private static final int PEEKS = 8;

    private final long[] positions = new long[POSITIONS];
    private final long[] cells;
    private final int mask;

    /**
     * Makes an empty ring.
     *
     * @param capacity the number of cells, a power of two
     */
    TokenRing(int capacity) {
        this.mask = capacity - 1;
        this.cells = new long[2 * capacity];
        for (int i = 0; i < capacity; i++) {
            cells[2 * i] = i;
        }
        VarHandle.releaseFence();
    }

    private int at(long position) {
        return 2 * ((int) position & mask);
    }

    /** {@return how many tokens were added before this one; or NONE if there is no cell for it} */
    final long offer(long token) {
        for (; ; ) {
            long position = (long) WORD.getAcquire(positions, TAIL);
            int at = at(position);
            long ahead = (long) WORD.getAcquire(cells, at) - position;
            if (ahead < 0) {
                return NONE;
            }
            if (ahead == 0 && WORD.compareAndSet(positions, TAIL, position, position + 1)) {
                WORD.setOpaque(cells, at + 1, token);
                WORD.setRelease(cells, at, position + 1);
                return position;
            }
        }
    }

    /** {@return the token that was added first, or NONE} */
    final long poll() {
        for (; ; ) {
            long position = (long) WORD.getAcquire(positions, HEAD);
            int at = at(position);
            long ahead = (long) WORD.getAcquire(cells, at) - (position + 1);
            if (ahead < 0) {
                return NONE;
            }
            if (ahead == 0) {
                long token = (long) WORD.getOpaque(cells, at + 1);
                if (take(position)) {
                    return token;
                }
            }
        }
    }

    /** Takes the first token if it is this one; {@return whether the caller owns it now} */
    final boolean pollIf(long token) {
        long position = (long) WORD.getAcquire(positions, HEAD);
        int at = at(position);
        return (long) WORD.getAcquire(cells, at) == position + 1
                && (long) WORD.getOpaque(cells, at + 1) == token
                && take(position);
    }

    /** The token that was read before belongs to the cell only if no other thread has taken it, so the CAS is last. */
    boolean take(long position) {
        if (!WORD.compareAndSet(positions, HEAD, position, position + 1)) {
            return false;
        }
        WORD.setRelease(cells, at(position), position + mask + 1);
        return true;
    }

    /** {@return the token that was added first, which stays; NONE if there is none, or others take many meanwhile} */
    final long peek() {
        for (int i = 0; i < PEEKS; i++) {
            long position = (long) WORD.getAcquire(positions, HEAD);
            int at = at(position);
            long ahead = (long) WORD.getAcquire(cells, at) - (position + 1);
            if (ahead < 0) {
                return NONE;
            }
            long token = (long) WORD.getOpaque(cells, at + 1);
            VarHandle.acquireFence(); // the token was read before the head is read again
            if (ahead == 0 && (long) WORD.getOpaque(positions, HEAD) == position) {
                return token;
            }
        }
        return NONE;
    }

    /** {@return the token that comes {@code offset} tokens after the first, if no other thread is active; or NONE} */
    final long peek(int offset) {
        long position = (long) WORD.getAcquire(positions, HEAD) + offset;
        int at = at(position);
        return (long) WORD.getAcquire(cells, at) == position + 1 ? (long) WORD.getOpaque(cells, at + 1) : NONE;
    }

    /** {@return the number of tokens; approximate while other threads add or take some} */
    final int length() {
        long taken = (long) WORD.getAcquire(positions, HEAD); // first: it never passes the tail
        return (int) ((long) WORD.getAcquire(positions, TAIL) - taken);
    }

    final int capacity() {
        return mask + 1;
    }
}
