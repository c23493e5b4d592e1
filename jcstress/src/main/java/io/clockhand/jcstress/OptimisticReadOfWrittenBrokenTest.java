// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Broken: the version changes at the end of a write alone. */
@JCStressTest
@JCStressMeta(OptimisticReadOfWrittenTest.class)
@State
public class OptimisticReadOfWrittenBrokenTest {
    private final OptimisticRead optimistic = new TinyOptimisticRead() {
        @Override
        void latch() {
            // no reader can see it
        }

        @Override
        void unlatch() {
            word.getAndAdd(VERSION_ONE);
        }
    };

    @Actor
    public void reader(L_Result r) {
        r.r1 = optimistic.readPair();
    }

    @Actor
    public void writer() {
        optimistic.write();
    }
}
