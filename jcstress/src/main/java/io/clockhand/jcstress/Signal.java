// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

/** One state that changes once, and a place to wait for that. */
interface Signal {
    /** {@return the longest time to wait} */
    long waitNanos();

    /** {@return whether the change was seen} */
    boolean await();

    /** Changes the state and wakes the waiter. */
    void change();
}
