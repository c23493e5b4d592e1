// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZL_Result;

/** Broken: the owner frees the frame without checking the pins. */
@JCStressTest
@JCStressMeta(LateUnpinTest.class)
@State
public class LateUnpinBrokenTest {
    private final TinyPins pins = new TinyPins() {
        @Override
        boolean giveUp() {
            word.getAndUpdate(seen -> (seen - 1) | DOOMED);
            return true;
        }
    };

    @Actor
    public void owner(ZZL_Result r) {
        r.r1 = pins.giveUp();
        if (r.r1) {
            pins.list();
        }
    }

    @Actor
    public void finder(ZZL_Result r) {
        r.r2 = pins.unpin();
        if (r.r2) {
            pins.list();
        }
    }

    @Arbiter
    public void end(ZZL_Result r) {
        r.r3 = pins.howOftenFree();
    }
}
