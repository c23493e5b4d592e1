// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Broken: the word is read, then stored. */
@JCStressTest
@JCStressMeta(SharedRowsTest.class)
@State
public class SharedRowsBitsBrokenTest {
    private final SharedBytes bytes = new SharedBytes() {
        @Override
        void setBits(long mask, long bits) {
            putLong(0, (getLong(0) & ~mask) | bits);
        }
    };

    @Actor
    public void first() {
        bytes.setByte(0, 1);
        bytes.setBits(0x0F << 8, 0x03 << 8);
    }

    @Actor
    public void second() {
        bytes.setByte(1, 2);
        bytes.setBits(0xF0 << 8, 0x40 << 8);
    }

    @Arbiter
    public void outcome(L_Result r) {
        r.r1 = Long.toHexString(bytes.getLong(0));
    }
}
