// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/** Broken: the loader checks that the page exists before it has mapped the page, and not again. */
@JCStressTest
@JCStressMeta(TruncationTest.class)
@State
public class TruncationBrokenTest {
    private final TruncatedPage page = new TruncatedPage() {
        private boolean checked;

        @Override
        public void check(long id) {
            if (!checked) {
                super.check(id);
                checked = true;
            }
        }
    };

    @Actor
    public void user(LL_Result r) {
        r.r1 = page.use();
    }

    @Actor
    public void cutter() {
        page.truncateAndCreate();
    }

    @Arbiter
    public void end(LL_Result r) {
        r.r2 = page.end();
    }
}
