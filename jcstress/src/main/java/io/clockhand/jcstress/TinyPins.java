// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * How an empty frame goes free, in its smallest form: one word with pins and the doom. A frame begins with the pins of
 * its owner and of one late finder; every method returns whether the caller has freed the frame.
 */
class TinyPins {
    static final int PINS = 0xFFFF;
    static final int DOOMED = 1 << 16;
    static final int FREE = 1 << 17;

    final AtomicInteger word = new AtomicInteger(2);
    private final AtomicInteger listed = new AtomicInteger();

    /** Drops the owner's pin: the frame is free if it was the last, else doomed. */
    boolean giveUp() {
        for (; ; ) {
            int seen = word.get();
            boolean last = (seen & PINS) == 1;
            if (word.compareAndSet(seen, last ? FREE : (seen - 1) | DOOMED)) {
                return last;
            }
        }
    }

    /** Drops the finder's pin: the frame is free if it was doomed and this was the last. */
    final boolean unpin() {
        boolean last = word.getAndDecrement() == (DOOMED | 1);
        if (last) {
            word.set(FREE);
        }
        return last;
    }

    final void list() {
        listed.incrementAndGet();
    }

    final String howOftenFree() {
        return switch (listed.get()) {
            case 0 -> "never free";
            case 1 -> "free once";
            default -> "free twice";
        };
    }
}
