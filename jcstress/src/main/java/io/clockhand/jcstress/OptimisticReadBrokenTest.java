// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Broken: the version goes up when the next page is there, not before its bytes come. */
@JCStressTest
@JCStressMeta(OptimisticReadTest.class)
@State
public class OptimisticReadBrokenTest {
    private final OptimisticRead optimistic = new TinyOptimisticRead() {
        @Override
        boolean tryClose() {
            loaded.setRelease(0);
            return true;
        }

        @Override
        void load(int page) {
            loaded.setRelease(page);
            word.getAndAdd(VERSION_ONE);
        }
    };

    @Actor
    public void reader(L_Result r) {
        r.r1 = optimistic.read();
    }

    @Actor
    public void evictor() {
        optimistic.reuse();
    }
}
