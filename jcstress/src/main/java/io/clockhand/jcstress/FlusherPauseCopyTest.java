// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** The copy with no step done wrong. */
@JCStressTest
@JCStressMeta(FlusherPauseTest.class)
@State
public class FlusherPauseCopyTest {
    private final FlusherPause pause = new TinyPause();

    @Actor
    public void flusher() {
        pause.work();
    }

    @Actor
    public void pauser(L_Result r) {
        r.r1 = pause.pauseAndLook();
    }
}
