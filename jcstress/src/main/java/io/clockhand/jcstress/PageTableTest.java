// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** A page that is mapped all the time is found, though a frame in front of it goes to another chain. */
@JCStressTest
@Outcome(id = "0", expect = ACCEPTABLE, desc = "Found.")
@Outcome(expect = FORBIDDEN, desc = "The walk went astray.")
@State
public class PageTableTest {
    private final RecycledFrame table = new CoreRecycledFrame(false);

    @Actor
    public void finder(I_Result r) {
        r.r1 = table.findA();
    }

    @Actor
    public void owner() {
        table.recycle();
    }
}
