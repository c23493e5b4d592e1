// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** The copy with no step done wrong. */
@JCStressTest
@JCStressMeta(CleanNoticeTest.class)
@State
public class CleanNoticeCopyTest {
    private final CleanNotice frames = new TinyCleanNotice();

    @Actor
    public void miss(II_Result r) {
        r.r1 = frames.search();
    }

    @Actor
    public void flusher() {
        frames.endWrite();
    }

    @Arbiter
    public void end(II_Result r) {
        r.r2 = frames.search();
    }
}
