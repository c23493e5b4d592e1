// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZL_Result;

/** Broken: the owner decides by pins that it has seen before, and dooms a frame that no thread is left to free. */
@JCStressTest
@JCStressMeta(LateUnpinTest.class)
@State
public class LateUnpinStaleBrokenTest {
    private final TinyPins pins = new TinyPins() {
        @Override
        boolean giveUp() {
            boolean last = (word.get() & PINS) == 1;
            word.getAndUpdate(seen -> last ? FREE : (seen - 1) | DOOMED);
            return last;
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
