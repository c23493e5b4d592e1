// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

/** One frame with A in it, loaded and not pinned, and a shortcut that says so. */
abstract class Shortcut {
    static final int A = 1;
    static final int B = 2;

    /** Plain: the word of the frame must order it. 0 while it is cleared or loaded. */
    int content = A;

    /** Follows the shortcut. */
    final String find() {
        if (!tryPin(A)) {
            return "gone";
        }
        int seen = content;
        unpin();
        return seen == A ? "A" : "not A";
    }

    /** Evicts A, if no thread has pinned it, and loads B in its place. */
    final String replace() {
        if (!tryClaim()) {
            return "pinned";
        }
        content = 0;
        publish(B);
        content = B;
        ready();
        return "replaced";
    }

    /** Pins the frame if it has a ready content of the identity. */
    abstract boolean tryPin(int identity);

    abstract void unpin();

    abstract boolean tryClaim();

    /** Ends the claim, with one pin, another identity and no content. */
    abstract void publish(int identity);

    /** Publishes the content and drops the pin. */
    abstract void ready();

    /** {@return the pins that are left} */
    abstract int pins();
}
