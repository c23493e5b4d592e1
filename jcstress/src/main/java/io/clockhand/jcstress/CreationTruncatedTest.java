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
import org.openjdk.jcstress.infra.results.JJ_Result;

/**
 * A thread creates a page while another one creates the page before it, truncates the file, and creates both anew. So
 * the first may wait for the earlier page, and find then that the page of its number is the other's.
 */
@JCStressTest
@Outcome(id = "2, 2", expect = ACCEPTABLE, desc = "Each thread has filled its own pages.")
@Outcome(expect = FORBIDDEN, desc = "A thread took the page of another for its own.")
@State
public class CreationTruncatedTest {
    private final StressPool pool = StressPool.take();
    private long first;
    private long second;

    @Actor
    public void creator() {
        pool.create(1);
    }

    @Actor
    public void truncator() {
        pool.create(3);
        pool.truncate();
        first = pool.create(2);
        second = pool.create(2);
    }

    @Arbiter
    public void end(JJ_Result r) {
        r.r1 = pool.value(first);
        r.r2 = pool.value(second);
        pool.giveBack();
    }
}
