// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/** Broken: a check whether the page is loaded, and then a store. */
@JCStressTest
@JCStressMeta(PageInTest.class)
@State
public class PageInBrokenTest {
    private final OnePageIn page = new TinyOnePageIn() {
        @Override
        boolean publish(int buffer) {
            if (word.get() >= 0) {
                return false;
            }
            word.set(buffer);
            return true;
        }
    };

    @Actor
    public void first(LL_Result r) {
        r.r1 = page.pageIn(0);
    }

    @Actor
    public void second(LL_Result r) {
        r.r2 = page.pageIn(1);
    }
}
