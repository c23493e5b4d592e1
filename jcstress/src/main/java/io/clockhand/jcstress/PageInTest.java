// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.clockhand.internal.frame.BufferWord;
import io.clockhand.internal.frame.FrameStates;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/** Two threads that read a page at once, each into a buffer of its own, use the same buffer, and see all of it. */
@JCStressTest
@Outcome(id = "buffer 0, buffer 0", expect = ACCEPTABLE, desc = "The first was faster.")
@Outcome(id = "buffer 1, buffer 1", expect = ACCEPTABLE, desc = "The second was faster.")
@Outcome(expect = FORBIDDEN, desc = "Two copies of one page, or bytes that had not come yet.")
@State
public class PageInTest {
    private static final int BYTES = 7;
    private static final long RESERVED = BufferWord.reserved(0);

    private final FrameStates states = new FrameStates(1, true);
    /** Plain: what was read into the buffers; 0 is nothing. */
    private final int[] buffers = new int[2];

    public PageInTest() {
        states.setBuffer(0, RESERVED);
    }

    private String pageIn(int own) {
        if (!BufferWord.isLoaded(states.buffer(0))) {
            buffers[own] = BYTES;
            states.casBuffer(0, RESERVED, BufferWord.loaded(own));
        }
        int used = BufferWord.buffer(states.buffer(0));
        return buffers[used] == BYTES ? "buffer " + used : "wrong bytes";
    }

    @Actor
    public void first(LL_Result r) {
        r.r1 = pageIn(0);
    }

    @Actor
    public void second(LL_Result r) {
        r.r2 = pageIn(1);
    }
}
