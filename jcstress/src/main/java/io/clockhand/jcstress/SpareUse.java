// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

/** Two threads of one stripe use the spare object, or another one. */
abstract class SpareUse {
    /** An object for one thread at a time: its counter has no synchronization. */
    static final class Counter {
        private int uses;
    }

    private Counter first;
    private Counter second;

    abstract Counter take();

    abstract void putBack(Counter counter);

    final void useFirst() {
        first = use();
    }

    final void useSecond() {
        second = use();
    }

    private Counter use() {
        Counter counter = take();
        counter.uses++;
        putBack(counter);
        return counter;
    }

    /** {@return the uses that are counted} */
    final String end() {
        return (first == second ? first.uses : first.uses + second.uses) + " uses";
    }
}
