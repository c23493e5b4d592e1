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
import org.openjdk.jcstress.infra.results.L_Result;

/**
 * Threads write pages through one journal, two of them the same page, and one forces the store. One force of the
 * journal may serve several; the journal has space for one or two of their batches, so it is cleared on the way.
 */
@JCStressTest
@Outcome(id = "right", expect = ACCEPTABLE, desc = "A crash at any moment leaves each page with one whole image.")
@Outcome(
        expect = FORBIDDEN,
        desc = "A page is in place before its image is forced, the journal is cleared too early, or images of one page"
                + " are in another order in place.")
@State
public class JournalWritersTest {
    private final StressJournal journal = StressJournal.take();

    @Actor
    public void first() {
        journal.write(0);
    }

    @Actor
    public void second() {
        journal.write(0, 2);
    }

    @Actor
    public void third() {
        journal.write(1);
        journal.force();
    }

    @Arbiter
    public void outcome(L_Result r) {
        r.r1 = journal.check();
        journal.giveBack();
    }
}
