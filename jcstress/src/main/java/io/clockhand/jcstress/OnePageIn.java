// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

/** A page that is not loaded yet, in a mapped frame; two threads read it, each into a buffer of its own. */
abstract class OnePageIn {
    /** Plain: what was read into the buffers; 0 is nothing. */
    final int[] buffers = new int[2];

    /** {@return what the page says, and in which buffer} */
    final String pageIn(int own) {
        int used = loaded();
        if (used < 0) {
            buffers[own] = 7;
            used = publish(own) ? own : loaded();
        }
        return buffers[used] == 7 ? "buffer " + used : "wrong bytes";
    }

    /** {@return the number of the buffer that holds the page, or −1} */
    abstract int loaded();

    /** Makes a buffer the page's, unless another is; {@return whether it is now} */
    abstract boolean publish(int buffer);
}
