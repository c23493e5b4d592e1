// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Broken: the mark goes when the write has ended. */
@JCStressTest
@JCStressMeta(DirtyMarkTest.class)
@State
public class DirtyMarkBrokenTest {
    private final ChangedPage page = ChangedPage.changed(new ChangedPage() {
        @Override
        void beginCopy() {
            // the mark stays
        }

        @Override
        void written() {
            dirty.beginCopy(0);
            dirty.written(0);
        }
    });

    @Actor
    public void updater() {
        page.update(2);
    }

    @Actor
    public void writer() {
        page.write();
    }

    @Arbiter
    public void outcome(L_Result r) {
        r.r1 = page.outcome();
    }
}
