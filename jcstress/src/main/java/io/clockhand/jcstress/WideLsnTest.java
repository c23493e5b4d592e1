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
import org.openjdk.jcstress.infra.results.LLLL_Result;

/** An LSN of ten bytes is read whole, and becomes the greatest of two; a row in its last word is not lost. */
@JCStressTest
@Outcome(id = "2:3, 3:1, 3:1, 7", expect = ACCEPTABLE, desc = "The first thread read before the second raised.")
@Outcome(id = "3:1, 3:1, 3:1, 7", expect = ACCEPTABLE, desc = "The second thread raised first.")
@Outcome(expect = FORBIDDEN, desc = "An LSN that nobody stored, or not the greatest; or a row is lost.")
@State
public class WideLsnTest {
    private final SharedBytes bytes = new SharedBytes();

    public WideLsnTest() {
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
