// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** Broken: an update releases its share after it has logged, and acquires it again. */
@JCStressTest
@JCStressMeta(SharedTurnTest.class)
@State
public class SharedTurnGapBrokenTest {
    private final SharedPage page = SharedPage.changed(new SharedPage() {
        @Override
        long append() {
            long appended = super.append();
            latches.releaseShared(0);
            share();
            return appended;
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
