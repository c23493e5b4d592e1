// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Broken: the page is copied under a share, so its LSN may exceed a record that the copy lacks. */
@JCStressTest
@JCStressMeta(SharedImageTest.class)
@State
public class SharedImageShareBrokenTest {
    private final SharedPage page = new SharedPage() {
        @Override
        void freeze() {
            share();
        }

        @Override
        void unfreeze() {
            latches.releaseShared(0);
        }
    };

    private long left;
    private long right;

    @Actor
    public void first() {
        left = page.update(SharedPage.LEFT);
    }

    @Actor
    public void second() {
        right = page.update(SharedPage.RIGHT);
        page.write();
    }

    @Arbiter
    public void outcome(L_Result r) {
        r.r1 = page.image(left, right);
    }
}
