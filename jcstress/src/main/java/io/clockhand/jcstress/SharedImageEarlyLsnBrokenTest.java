// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Broken: the log is made durable up to the LSN that the page had before its latch was free. */
@JCStressTest
@JCStressMeta(SharedImageTest.class)
@State
public class SharedImageEarlyLsnBrokenTest {
    private final SharedPage page = new SharedPage() {
        private long early;

        @Override
        void freeze() {
            early = pageLsn();
            super.freeze();
        }

        @Override
        long lsnOfCopy() {
            return early;
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
