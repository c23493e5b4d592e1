// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/** Broken: the files are forced before the scan of the pages. */
@JCStressTest
@JCStressMeta(WrittenCheckpointTest.class)
@State
public class WrittenCheckpointEarlyForceBrokenTest {
    private final ChangedPage page = ChangedPage.changed(new ChangedPage() {
        @Override
        long checkpoint() {
            force();
            return dirty.oldest(logEnd.get());
        }
    });

    private long redo;

    @Actor
    public void writer() {
        page.write();
    }

    @Actor
    public void checkpointer() {
        redo = page.checkpoint();
    }

    @Arbiter
    public void outcome(Z_Result r) {
        r.r1 = page.isLost(redo, 1, 1);
    }
}
