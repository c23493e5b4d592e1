// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** The protocol in its smallest form: a chunk of one word. The step that the broken twin does wrong is not final. */
class TinyUnlinkedChunk implements UnlinkedChunk {
    static final int EMPTY = 0;
    static final int FROZEN = -2;
    private static final int FRAME = 1;

    private final AtomicReference<AtomicInteger> link = new AtomicReference<>(new AtomicInteger());

    @Override
    public final void map() {
        for (; ; ) {
            AtomicInteger chunk = link.get();
            if (chunk == null) {
                link.compareAndSet(null, new AtomicInteger());
            } else if (chunk.compareAndSet(EMPTY, FRAME)) {
                return;
            }
        }
    }

    @Override
    public final void visit() {
        AtomicInteger chunk = link.get();
        if (tryFreeze(chunk)) {
            link.set(null);
        }
    }

    boolean tryFreeze(AtomicInteger chunk) {
        return chunk.compareAndSet(EMPTY, FROZEN);
    }

    @Override
    public final boolean find() {
        AtomicInteger chunk = link.get();
        return chunk != null && chunk.get() == FRAME;
    }
}
