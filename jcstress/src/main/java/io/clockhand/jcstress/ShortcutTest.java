// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.clockhand.internal.frame.FrameState;
import io.clockhand.internal.frame.FrameStates;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LLI_Result;

/** A finder that follows a shortcut to a frame gets the content of its tag, or nothing. */
@JCStressTest
@Outcome(id = "A, replaced, 0", expect = ACCEPTABLE, desc = "The finder came and went first.")
@Outcome(id = "A, pinned, 0", expect = ACCEPTABLE, desc = "The finder's pin kept A in its frame.")
@Outcome(id = "gone, replaced, 0", expect = ACCEPTABLE, desc = "The finder came too late.")
@Outcome(expect = FORBIDDEN, desc = "The finder got another content, or a pin was left.")
@State
public class ShortcutTest {
    private static final int A = 1;
    private static final int B = 2;

    private final FrameStates states = new FrameStates(1);
    /** Plain: the word of the frame must order it. 0 while it is cleared or loaded. */
    private int content;

    public ShortcutTest() {
        states.tryTakeFree(0);
        load(A);
    }

    private void load(int identity) {
        states.setIdentity(0, identity);
        states.publishPinned(0, 1);
        content = identity;
        states.ready(0);
        states.unpin(0);
    }

    @Actor
    public void finder(LLI_Result r) {
        if (!states.tryPinReady(0, A, 3)) {
            r.r1 = "gone";
            return;
        }
        r.r1 = content == A ? "A" : "not A";
        try {
            states.unpin(0);
        } catch (IllegalStateException e) {
            r.r1 = "pin lost";
        }
    }

    @Actor
    public void evictor(LLI_Result r) {
        if (!states.tryClaim(0)) {
            r.r2 = "pinned";
            return;
        }
        content = 0;
        try {
            load(B);
            r.r2 = "replaced";
        } catch (IllegalStateException e) {
            r.r2 = "claim lost";
        }
    }

    @Arbiter
    public void end(LLI_Result r) {
        r.r3 = FrameState.pins(states.state(0));
    }
}
