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
import org.openjdk.jcstress.infra.results.JJ_Result;

/** The LSN of a page becomes the greatest of two, in the page and in the dirty page table. */
@JCStressTest
@Outcome(id = "3, 3", expect = ACCEPTABLE, desc = "The greatest.")
@Outcome(expect = FORBIDDEN, desc = "A lesser LSN was stored last.")
@State
public class PageLsnTest {
    private final SharedPage page = new SharedPage();

    @Actor
    public void first() {
        page.raise(2);
    }

    @Actor
    public void second() {
        page.raise(3);
    }

    @Arbiter
    public void outcome(JJ_Result r) {
        r.r1 = page.pageLsn();
        r.r2 = page.tableLsn();
    }
}
