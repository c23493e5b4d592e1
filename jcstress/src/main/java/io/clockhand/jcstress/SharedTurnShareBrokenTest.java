// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** Broken: the page is copied under a share, so its mark goes while an update relies on it. */
@JCStressTest
@JCStressMeta(SharedTurnTest.class)
@State
public class SharedTurnShareBrokenTest {
    private final SharedPage page = SharedPage.changed(new SharedPage() {
        @Override
        void freeze() {
            share();
        }

        @Override
        void unfreeze() {
            latches.releaseShared(0);
        }
    });

    private long lsn;
    private long redo;

    @Actor
    public void updater() {
        lsn = page.update(SharedPage.LEFT);
    }

    @Actor
    public void writer() {
        page.write();
        redo = page.checkpoint();
    }

    @Arbiter
    public void outcome(ZZ_Result r) {
        r.r1 = page.isLost(redo, SharedPage.LEFT, lsn);
        r.r2 = page.isLost(page.checkpoint(), SharedPage.LEFT, lsn);
    }
}
