// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** Broken: the claim does not look at the mark. */
@JCStressTest
@JCStressMeta(DirtyClaimTest.class)
@State
public class DirtyClaimBrokenTest {
    private final ChangedPage page = new ChangedPage() {
        @Override
        boolean claim() {
            return states.tryClaimUnused(0);
        }
    };

    private boolean claimed;

    @Actor
    public void updater() {
        page.update(2);
    }

    @Actor
    public void evictor() {
        claimed = page.claim();
    }

    @Arbiter
    public void outcome(ZZ_Result r) {
        r.r1 = claimed;
        r.r2 = page.isDirty();
    }
}
