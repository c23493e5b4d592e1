// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Broken: a byte is written with the word that it lies in. */
@JCStressTest
@JCStressMeta(SharedRowsTest.class)
@State
public class SharedRowsByteBrokenTest {
    private final SharedBytes bytes = new SharedBytes() {
        @Override
        void setByte(int at, int value) {
            int shift = Long.SIZE - Byte.SIZE * (at + 1);
            putLong(0, (getLong(0) & ~(0xFFL << shift)) | ((long) value << shift));
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
