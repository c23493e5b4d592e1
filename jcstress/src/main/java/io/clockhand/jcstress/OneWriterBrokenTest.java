// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import io.clockhand.internal.frame.FrameStates;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Broken: a writer pins the page, but does not mark it as being written. */
@JCStressTest
@JCStressMeta(OneWriterTest.class)
@State
public class OneWriterBrokenTest {
    private final ChangedPage page = ChangedPage.changed(new ChangedPage() {
        @Override
        boolean tryBeginWrite() {
            return isDirty() && states.tryPin(0, 0) != FrameStates.NOT_PINNED;
        }

        @Override
        void beginCopy() {
            while (!states.tryBeginWriting(0)) { // a moment only, since the mark of the page needs it
                Thread.onSpinWait();
            }
            super.beginCopy();
            states.endWriting(0);
        }

        @Override
        void endWrite() {
            states.unpin(0);
        }
    });

    @Actor
    public void writer() {
        page.write();
    }

    @Actor
    public void updater() {
        page.update(2);
        page.write();
    }

    @Arbiter
    public void outcome(L_Result r) {
        r.r1 = page.outcome();
    }
}
