// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/** Broken: the creator does not compare how often the file was truncated. */
@JCStressTest
@JCStressMeta(CreationTruncatedTest.class)
@State
public class CreationTruncatedBrokenTest {
    private final PageCreatedTwice page = new PageCreatedTwice() {
        @Override
        boolean isOwn(NewPage created) {
            return true;
        }
    };

    @Actor
    public void creator(LL_Result r) {
        r.r1 = page.create();
    }

    @Actor
    public void truncator() {
        page.truncateAndCreate();
    }

    @Arbiter
    public void end(LL_Result r) {
        r.r2 = page.end();
    }
}
