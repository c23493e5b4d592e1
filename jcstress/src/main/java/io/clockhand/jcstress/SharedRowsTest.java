// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Threads that update neighbouring bytes, and bits of one byte, lose none. */
@JCStressTest
@Outcome(id = "102000000004300", expect = ACCEPTABLE, desc = "All rows and bits are there.")
@Outcome(expect = FORBIDDEN, desc = "A row or a bit is lost.")
@State
public class SharedRowsTest {
    private final SharedBytes bytes = new SharedBytes();

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
