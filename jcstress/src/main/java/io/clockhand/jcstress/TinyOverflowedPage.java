// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * The protocol in its smallest form: the word of a directory, the word of the page in its chunk, and the overflow. The
 * step that the broken twin does wrong is the method that is not final.
 */
class TinyOverflowedPage implements OverflowedPage {
    static final int EMPTY = 0;
    static final int LINKED = -1;

    /** LINKED, or the number of pages in the overflow. */
    final AtomicInteger word = new AtomicInteger();

    private final AtomicInteger chunk = new AtomicInteger();
    private final AtomicInteger overflow = new AtomicInteger();
    private volatile boolean hasSpace;

    @Override
    public final boolean map(int frame) {
        for (; ; ) {
            int now = word.get();
            if (now == LINKED) {
                return chunk.compareAndSet(EMPTY, frame + 1);
            }
            if (now == EMPTY && hasSpace) {
                word.compareAndSet(EMPTY, LINKED);
            } else if (tryEnterOverflow(now)) {
                if (overflow.compareAndSet(EMPTY, frame + 1)) {
                    return true;
                }
                word.getAndDecrement();
                return false;
            }
        }
    }

    boolean tryEnterOverflow(int now) {
        return word.compareAndSet(now, now + 1);
    }

    @Override
    public final void makeSpace() {
        hasSpace = true;
    }
}
