// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

/** The slot of a thread of the flusher: core's, or the copy of its protocol. */
interface FlusherEnd {
    /** The thread in the slot wants to end; {@return whether it must} */
    boolean tryEnd();

    /** Adds work, then seeks an empty slot for a new thread; {@return whether there was one} */
    boolean addWork();
}
