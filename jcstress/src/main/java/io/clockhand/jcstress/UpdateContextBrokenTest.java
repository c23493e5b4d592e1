// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import io.clockhand.internal.flush.UpdateContext;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.J_Result;

/** Broken: a context is looked for, then stored. */
@JCStressTest
@JCStressMeta(UpdateContextTest.class)
@State
public class UpdateContextBrokenTest {
    private final FirstUpdates updates = new FirstUpdates() {
        private volatile UpdateContext present;

        @Override
        UpdateContext install() {
            UpdateContext seen = present;
            if (seen == null) {
                seen = new UpdateContext(0, 1);
                present = seen;
            }
            return seen;
        }

        @Override
        UpdateContext find() {
            return present;
        }
    };

    @Actor
    public void first() {
        updates.update();
    }

    @Actor
    public void second() {
        updates.update();
    }

    @Arbiter
    public void outcome(J_Result r) {
        r.r1 = updates.oldest();
    }
}
