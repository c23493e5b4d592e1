// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LLL_Result;

/** Broken: a look-up, and then an unconditional put. */
@JCStressTest
@JCStressMeta(OneHolderPerKeyTest.class)
@State
public class OneHolderPerKeyBrokenTest extends OneHolderPerKey {
    public OneHolderPerKeyBrokenTest() {
        super(store -> new TinyCache(store, 2) {
            @Override
            boolean map(Entry entry) {
                table.put(entry.key, entry);
                return true;
            }
        });
    }

    @Actor
    public void first(LLL_Result r) {
        r.r1 = findFirst();
    }

    @Actor
    public void second(LLL_Result r) {
        r.r2 = findSecond();
    }

    @Arbiter
    public void compare(LLL_Result r) {
        r.r3 = compare();
    }
}
