// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import java.util.concurrent.atomic.AtomicInteger;

/** A dirty check in its smallest form: one word with pins and the mark. */
class TinyDirtyCheck implements DirtyCheck {
    static final int DIRTY_CHECK = 1 << 16;

    final AtomicInteger word = new AtomicInteger();

    @Override
    public final void check() {
        word.getAndAdd(DIRTY_CHECK + 1);
        endDirtyCheck();
    }

    /** Takes the pin and the mark off at once. */
    void endDirtyCheck() {
        word.getAndAdd(-(DIRTY_CHECK + 1));
    }

    @Override
    public final boolean useIsTakenForADirtyCheck() {
        word.getAndIncrement();
        boolean taken = word.get() == DIRTY_CHECK + 1;
        word.getAndDecrement();
        return taken;
    }

    @Override
    public final String end() {
        return word.get() == 0 ? "nothing left" : "word " + word;
    }
}
