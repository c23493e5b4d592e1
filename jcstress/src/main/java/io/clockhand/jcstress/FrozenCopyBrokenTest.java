// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** Broken: the page is copied without a share in its latch. */
@JCStressTest
@JCStressMeta(FrozenCopyTest.class)
@State
public class FrozenCopyBrokenTest {
    private final ChangedPage page = ChangedPage.changed(new ChangedPage() {
        @Override
        boolean tryFreeze() {
            return true;
        }

        @Override
        void unfreeze() {
            // there is nothing to release
        }
    });

    @Actor
    public void updater() {
        page.update(2);
    }

    @Actor
    public void writer(ZZ_Result r) {
        page.write();
        r.r1 = page.fileLeft == page.fileRight;
        r.r2 = page.fileLeft <= 2;
    }
}
