// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import io.clockhand.internal.flush.UpdateContext;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** Broken: an update counts itself after it has logged, so a checkpoint may not wait for it. */
@JCStressTest
@JCStressMeta(SharedCheckpointTest.class)
@State
public class SharedCheckpointLateCountBrokenTest {
    private final SharedPage page = new SharedPage() {
        @Override
        UpdateContext begin() {
            UpdateContext counted = super.begin();
            if (counted != null) {
                dirty.cancel(counted);
            }
            return counted;
        }

        @Override
        void contribute(UpdateContext counted, long lsn) {
            if (counted.tryCount()) {
                super.contribute(counted, lsn);
            }
        }
    };

    private long left;
    private long right;
    private long redo;

    @Actor
    public void first() {
        left = page.update(SharedPage.LEFT);
    }

    @Actor
    public void second() {
        right = page.update(SharedPage.RIGHT);
        redo = page.checkpoint();
    }

    @Arbiter
    public void outcome(ZZ_Result r) {
        r.r1 = page.isLost(redo, SharedPage.LEFT, left);
        r.r2 = page.isLost(redo, SharedPage.RIGHT, right);
    }
}
