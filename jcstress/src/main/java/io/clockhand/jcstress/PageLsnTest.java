// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.clockhand.internal.flush.DirtyPages;
import io.clockhand.internal.frame.FrameStates;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;

/** The LSN of a page becomes the greatest of two, in the page and in the dirty page table. */
@JCStressTest
@Outcome(id = "3, 3", expect = ACCEPTABLE, desc = "The greatest.")
@Outcome(expect = FORBIDDEN, desc = "A lesser LSN was stored last.")
@State
public class PageLsnTest {
    private final FrameStates states = Frames.loadedPage();
    private final DirtyPages dirty = new DirtyPages(states, 1, false);
    private final SharedBytes bytes = new SharedBytes();

    public PageLsnTest() {
        states.tryPin(0, 0);
        states.markDirty(0);
        states.unpin(0);
        states.tryPinToWrite(0);
    }

    private void raise(long lsn) {
        bytes.raise(lsn);
        dirty.raise(0, lsn);
    }

    @Actor
    public void first() {
        raise(2);
    }

    @Actor
    public void second() {
        raise(3);
    }

    @Arbiter
    public void outcome(JJ_Result r) {
        r.r1 = bytes.getLong(0);
        r.r2 = dirty.beginCopy(0);
    }
}
