// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/** Broken: the page exists before it is mapped, so the creator clears a page that another thread has changed. */
@JCStressTest
@JCStressMeta(CreationTest.class)
@State
public class CreationEarlyBrokenTest {
    private final CreatedPage page = new CreatedPage() {
        @Override
        void create() {
            try {
                files.create(file, number -> {});
                int frame = pool.pin(idOf(0));
                fill(frame, 0);
                pool.unpin(frame);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    };

    @Actor
    public void creator() {
        page.create();
    }

    @Actor
    public void user(LL_Result r) {
        r.r1 = page.change();
    }

    @Arbiter
    public void end(LL_Result r) {
        r.r2 = page.end();
    }
}
