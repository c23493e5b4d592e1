// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.frame;

import java.util.function.BooleanSupplier;
import java.util.function.LongPredicate;

/**
 * One thread that waits for a change of a word of a frame, once: a thread that waits again queues another waiter, so a
 * thread that was woken cannot disturb the chain in which the waking thread still walks. All but {@code woken} is
 * guarded by the lock of the {@link WaiterTable}; a waiter that was taken out belongs to the thread that took it.
 */
final class Waiter implements BooleanSupplier {
    final Thread thread = Thread.currentThread();
    final LongPredicate condition;
    Waiter previous;
    Waiter next;
    /** Written before {@code woken}. */
    private boolean comesBeforeOthers;
    /** Set, once, by the thread that has taken the waiter out of its line. */
    private volatile boolean woken;
    /** Set by the thread that ends all waits, while the waiter is in its line. */
    private volatile boolean ended;

    Waiter(LongPredicate condition) {
        this.condition = condition;
    }

    void setWoken() {
        woken = true;
    }

    boolean isWoken() {
        return woken;
    }

    /** Others could go on now, but for this waiter and those that were chosen with it. */
    void setComesBeforeOthers() {
        comesBeforeOthers = true;
    }

    /** {@return whether the word must be tested again when the thread, which was woken, has gone on} */
    boolean comesBeforeOthers() {
        return comesBeforeOthers;
    }

    void end() {
        ended = true;
    }

    /** {@return whether the thread is to go on: it parks until then} */
    @Override
    public boolean getAsBoolean() {
        return woken || ended;
    }
}
