// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.clockhand.page.StressPool;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** An image has exactly the changes up to its LSN, all of them in the durable part of the log. */
@JCStressTest
@Outcome(id = "exact", expect = ACCEPTABLE, desc = "All records up to the LSN of the image, and no other.")
@Outcome(expect = FORBIDDEN, desc = "The image lacks a record, or has one that may be lost.")
@State
public class SharedImageTest {
    private final StressPool pool = StressPool.take();
    private long left;
    private long right;

    @Actor
    public void first() {
        left = pool.updateRow(StressPool.LEFT);
    }

    @Actor
    public void second() {
        right = pool.updateRow(StressPool.RIGHT);
        pool.write();
    }

    @Arbiter
    public void outcome(L_Result r) {
        r.r1 = pool.image(left, right);
        pool.giveBack();
    }
}
