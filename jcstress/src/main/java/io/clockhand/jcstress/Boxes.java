// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

/** A cache of boxes, as the tests see it: core's, or the copy of its protocol. */
interface Boxes {

    /** {@return the box of the key, pinned; null if the cache has lost its frames} */
    Box find(int key);

    /** Unpins a box. */
    void release(Box box);

    /** {@return whether every frame is accounted for, while no thread uses the cache} */
    String integrity();
}
