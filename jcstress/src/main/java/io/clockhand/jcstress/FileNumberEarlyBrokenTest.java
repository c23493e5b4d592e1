// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LLL_Result;

/** Broken: the number is free before the pages of the former file have left memory. */
@JCStressTest
@JCStressMeta(FileNumberTest.class)
@State
public class FileNumberEarlyBrokenTest {
    private final ReusedNumber number = new ReusedNumber() {
        @Override
        void invalidate(long first, long last, boolean writes) {
            // the pages stay
        }
    };

    @Actor
    public void reader(LLL_Result r) {
        r.r1 = number.use();
    }

    @Actor
    public void opener(LLL_Result r) {
        r.r2 = number.reuse();
    }

    @Arbiter
    public void end(LLL_Result r) {
        r.r3 = number.end();
    }
}
