// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LLI_Result;

/** Broken: the writer checks for readers, and then stores. */
@JCStressTest
@JCStressMeta(LatchModesTest.class)
@State
public class LatchModesBrokenTest {
    private final LatchedPair pair = new TinyLatchedPair() {
        @Override
        boolean tryExclusive() {
            if (word.get() != 0) {
                return false;
            }
            word.getAndAdd(EXCLUSIVE);
            return true;
        }
    };

    @Actor
    public void writer(LLI_Result r) {
        r.r1 = pair.write();
    }

    @Actor
    public void reader(LLI_Result r) {
        r.r2 = pair.read();
    }

    @Arbiter
    public void end(LLI_Result r) {
        r.r3 = pair.sum();
    }
}
