// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/** Broken: the page is marked after the record was appended. */
@JCStressTest
@JCStressMeta(FuzzyCheckpointTest.class)
@State
public class FuzzyCheckpointLateMarkBrokenTest {
    private final ChangedPage page = new ChangedPage() {
        @Override
        long markAndLog() {
            long lsn = append();
            mark(lsn);
            return lsn;
        }
    };

    private long lsn;
    private long redo;

    @Actor
    public void updater() {
        lsn = page.update(2);
    }

    @Actor
    public void checkpointer() {
        redo = page.checkpoint();
    }

    @Arbiter
    public void outcome(Z_Result r) {
        r.r1 = page.isLost(redo, lsn, 2);
    }
}
