// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LLLL_Result;

/** Broken: the parts are compared, then stored, without the lock. */
@JCStressTest
@JCStressMeta(WideLsnTest.class)
@State
public class WideLsnRaiseBrokenTest {
    private final SharedBytes bytes = new SharedBytes() {
        @Override
        void raiseWide(long position, int slot) {
            if (getLong(0) < position) {
                putLong(0, position);
                putLong(Long.BYTES, ((long) slot << 48) | (getLong(Long.BYTES) & 0xFF));
            }
        }
    };

    public WideLsnRaiseBrokenTest() {
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
