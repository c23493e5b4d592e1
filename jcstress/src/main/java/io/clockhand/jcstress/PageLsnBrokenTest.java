// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;

/** Broken: the LSN is compared, then stored. */
@JCStressTest
@JCStressMeta(PageLsnTest.class)
@State
public class PageLsnBrokenTest {
    private final SharedPage page = new SharedPage(new SharedBytes() {
        @Override
        void raise(long lsn) {
            if (getLong(0) < lsn) {
                putLong(0, lsn);
            }
        }
    });

    @Actor
    public void first() {
        page.raise(2);
    }

    @Actor
    public void second() {
        page.raise(3);
    }

    @Arbiter
    public void outcome(JJ_Result r) {
        r.r1 = page.pageLsn();
        r.r2 = page.tableLsn();
    }
}
