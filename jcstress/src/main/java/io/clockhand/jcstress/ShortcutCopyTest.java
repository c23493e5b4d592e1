// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LLI_Result;

/** The copy with no step done wrong. */
@JCStressTest
@JCStressMeta(ShortcutTest.class)
@State
public class ShortcutCopyTest {
    private final Shortcut shortcut = new TinyShortcut();

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
