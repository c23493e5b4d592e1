// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/** Broken: a check whether the page is shared, and then a store. */
@JCStressTest
@JCStressMeta(SharedReadTest.class)
@State
public class SharedReadBrokenTest {
    private final OptimisticRead read = new TinyOptimisticRead() {
        @Override
        boolean tryClose() {
            long open = word.get();
            if ((open & SHARERS) != 0) {
                return false;
            }
            word.set(open + VERSION_ONE + SHUT);
            loaded.set(0);
            return true;
        }
    };

    @Actor
    public void reader(LL_Result r) {
        r.r1 = read.readShared();
    }

    @Actor
    public void evictor(LL_Result r) {
        r.r2 = read.reuse();
    }
}
