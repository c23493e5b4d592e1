// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/** The copy with no step done wrong. */
@JCStressTest
@JCStressMeta(SharedReadTest.class)
@State
public class SharedReadCopyTest {
    private final OptimisticRead read = new TinyOptimisticRead();

    @Actor
    public void reader(LL_Result r) {
        r.r1 = read.readShared();
    }

    @Actor
    public void evictor(LL_Result r) {
        r.r2 = read.reuse();
    }
}
