// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** A page is mapped once, though one thread finds no space for its chunk, and another does. */
@JCStressTest
@Outcome(
        id = {"true, false", "false, true"},
        expect = ACCEPTABLE,
        desc = "Mapped once.")
@Outcome(expect = FORBIDDEN, desc = "Mapped in the overflow and in the chunk.")
@State
public class OverflowTest {
    private final OverflowedPage page = new CoreOverflowedPage();

    @Actor
    public void early(ZZ_Result r) {
        r.r1 = page.map(1);
    }

    @Actor
    public void late(ZZ_Result r) {
        page.makeSpace();
        r.r2 = page.map(2);
    }
}
