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
import org.openjdk.jcstress.infra.results.LLI_Result;

/** A finder that follows a shortcut gets the content of its tag, or nothing. */
@JCStressTest
@Outcome(id = "A, replaced, 0", expect = ACCEPTABLE, desc = "The finder came and went first.")
@Outcome(id = "A, pinned, 0", expect = ACCEPTABLE, desc = "The finder's pin kept A in its frame.")
@Outcome(id = "gone, replaced, 0", expect = ACCEPTABLE, desc = "The finder came too late.")
@Outcome(expect = FORBIDDEN, desc = "The finder got another content, or a pin was left.")
@State
public class ShortcutTest {
    private final Shortcut shortcut = new CoreShortcut();

    @Actor
    public void finder(LLI_Result r) {
        r.r1 = shortcut.find();
    }

    @Actor
    public void evictor(LLI_Result r) {
        r.r2 = shortcut.replace();
    }

    @Arbiter
    public void end(LLI_Result r) {
        r.r3 = shortcut.pins();
    }
}
