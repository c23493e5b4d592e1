// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LLLL_Result;

/** Broken: the reader reads each part once, and does not look at the lock. */
@JCStressTest
@JCStressMeta(WideLsnTest.class)
@State
public class WideLsnReadBrokenTest {
    private final SharedBytes bytes = new SharedBytes() {
        @Override
        String readWide() {
            return getLong(0) + ":" + (getLong(Long.BYTES) >>> 48 & Short.MAX_VALUE);
        }
    };

    public WideLsnReadBrokenTest() {
        bytes.raiseWide(1, 9);
    }

    @Actor
    public void first(LLLL_Result r) {
        bytes.raiseWide(2, 3);
        r.r1 = bytes.readWide();
    }

    @Actor
    public void second(LLLL_Result r) {
        bytes.setByte(15, 7);
        bytes.raiseWide(3, 1);
        r.r2 = bytes.readWide();
    }

    @Arbiter
    public void outcome(LLLL_Result r) {
        r.r3 = bytes.readWide();
        r.r4 = bytes.getLong(Long.BYTES) & 0xFF;
    }
}
