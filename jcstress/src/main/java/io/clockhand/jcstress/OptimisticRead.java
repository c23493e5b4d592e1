// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import io.clockhand.internal.frame.BufferWord;
import io.clockhand.internal.frame.FrameRef;
import io.clockhand.internal.frame.FrameStates;
import io.clockhand.internal.frame.Latches;

/**
 * One frame whose buffer holds page A, in two numbers; it is read without a pin, while another thread writes the page
 * or wants the buffer for page B.
 */
final class OptimisticRead {
    private static final int A = 1;
    private static final int B = 2;

    private final FrameStates states = new FrameStates(1, true);
    private final Latches latches = new Latches(states, 1);
    private final FrameRef read = new FrameRef(states, latches);
    /** Plain: the bytes of the buffer. */
    private int left = A;

    private int right = A;

    OptimisticRead() {
        states.tryTakeFree(0);
        states.setBuffer(0, BufferWord.reserved(0));
        load(A);
    }

    private void load(int page) {
        states.setIdentity(0, page);
        states.publishPinned(0, 1);
        left = page;
        right = page;
        states.casBuffer(0, BufferWord.reserved(0), BufferWord.loaded(0));
        states.ready(0);
        states.unpin(0);
    }

    /** Reads both numbers of page A, if it is there, and validates; {@return what they say} */
    String read() {
        if (!read.begin(0, A)) {
            return "gone";
        }
        int seenLeft = left;
        int seenRight = right;
        return read.isUnchanged() ? pair(seenLeft, seenRight) : "retry";
    }

    /** Reads both numbers of page A, if it is there and can be shared; {@return what they say} */
    String readShared() {
        if (!read.begin(0, A) || !read.tryShare()) {
            return "gone";
        }
        int seenLeft = left;
        int seenRight = right;
        try {
            read.endShare();
        } catch (IllegalStateException e) {
            return "share lost";
        }
        return pair(seenLeft, seenRight);
    }

    private static String pair(int seenLeft, int seenRight) {
        return seenLeft == seenRight ? Integer.toString(seenLeft) : "torn";
    }

    /** Evicts page A, if no thread shares it, and reads page B into its buffer. */
    String reuse() {
        if (!states.tryClaim(0)) {
            return "stayed";
        }
        states.setBuffer(0, BufferWord.reserved(0));
        load(B);
        return "reused";
    }

    /** Raises both numbers of the page under an exclusive latch. */
    void write() {
        latches.tryExclusive(0);
        left++;
        right++;
        latches.releaseExclusive(0);
    }
}
