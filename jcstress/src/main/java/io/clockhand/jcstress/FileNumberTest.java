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
import org.openjdk.jcstress.infra.results.LLL_Result;

/** A file is closed and another one opened under its number, while a reader fixes a page of that number. */
@JCStressTest
@Outcome(id = "old, new, new", expect = ACCEPTABLE, desc = "The page was fixed before the file was closed.")
@Outcome(id = "none, new, new", expect = ACCEPTABLE, desc = "It was sought while no file had the number.")
@Outcome(id = "new, new, new", expect = ACCEPTABLE, desc = "It was fixed after the number was used again.")
@Outcome(
        expect = FORBIDDEN,
        desc = "A page of the former file was pinned when the number was free, or read under that of the new file; its"
                + " store was read after it was closed; or a frame or a buffer was lost.")
@State
public class FileNumberTest {
    private final ReusedNumber number = new ReusedNumber();

    @Actor
    public void reader(LLL_Result r) {
        r.r1 = number.use();
    }

    @Actor
    public void opener(LLL_Result r) {
        r.r2 = number.reuse();
    }

    @Arbiter
    public void end(LLL_Result r) {
        r.r3 = number.end();
    }
}
