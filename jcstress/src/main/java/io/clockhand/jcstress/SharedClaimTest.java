// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.clockhand.internal.frame.BufferWord;
import io.clockhand.internal.frame.FrameRef;
import io.clockhand.internal.frame.FrameState;
import io.clockhand.internal.frame.FrameStates;
import io.clockhand.internal.frame.Latches;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * A thread takes a share in the latch of a clean page, marks the page as dirty, and releases the share, while another
 * claims the frame: a claim that succeeds has a clean page. The first step of the claim, which keeps pins out, does not
 * keep the share out, so the claim reads the mark again when it has closed the latch.
 */
@JCStressTest
@Outcome(id = "true, false", expect = ACCEPTABLE, desc = "The frame was claimed before the share, with a clean page.")
@Outcome(id = "false, true", expect = ACCEPTABLE, desc = "The page is dirty, and stays in its frame.")
@Outcome(id = "true, true", expect = FORBIDDEN, desc = "A dirty page was claimed: its change is lost.")
@Outcome(id = "false, false", expect = FORBIDDEN, desc = "Neither of the two had the page.")
@State
public class SharedClaimTest {
    private final FrameStates states = new FrameStates(1, true);
    private final Latches latches = new Latches(states, 1);
    private final FrameRef reader = new FrameRef(states, latches);
    private boolean claimed;

    public SharedClaimTest() {
        states.tryTakeFree(0);
        states.setBuffer(0, BufferWord.reserved(0));
        states.setIdentity(0, 0);
        states.publishPinned(0, 0);
        states.casBuffer(0, BufferWord.reserved(0), BufferWord.loaded(0));
        states.ready(0);
        states.unpin(0);
    }

    @Actor
    public void updater() {
        if (reader.acquireShare(0, 0, 0) >= 0) {
            states.markDirty(0);
            reader.endShare();
        }
    }

    @Actor
    public void evictor() {
        claimed = states.tryClaim(0);
    }

    @Arbiter
    public void outcome(ZZ_Result r) {
        r.r1 = claimed;
        r.r2 = FrameState.isDirty(states.state(0));
    }
}
