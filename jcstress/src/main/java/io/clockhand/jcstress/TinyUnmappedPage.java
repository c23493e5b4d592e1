// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** The protocol in its smallest form: one word with pins and the mark, and whether the page is mapped. */
class TinyUnmappedPage extends UnmappedPage {
    private static final int PINS = 0xFF;
    private static final int UNMAPPED = 1 << 8;

    private final AtomicInteger word = new AtomicInteger(1);
    private final AtomicBoolean mapped = new AtomicBoolean(true);

    @Override
    final boolean isMapped() {
        return mapped.get();
    }

    @Override
    final boolean tryUse() {
        for (; ; ) {
            int state = word.get();
            if (isUnmapped(state)) {
                return false;
            }
            if (word.compareAndSet(state, state + 1)) {
                unpin();
                return true;
            }
        }
    }

    boolean isUnmapped(int state) {
        return (state & UNMAPPED) != 0;
    }

    @Override
    final void pin() {
        word.getAndIncrement();
    }

    @Override
    void unmap() {
        mark();
        remove();
    }

    final void mark() {
        word.getAndAdd(UNMAPPED);
    }

    final void remove() {
        mapped.set(false);
    }

    @Override
    final void unpin() {
        word.getAndDecrement();
    }

    @Override
    final int pins() {
        return word.get() & PINS;
    }
}
