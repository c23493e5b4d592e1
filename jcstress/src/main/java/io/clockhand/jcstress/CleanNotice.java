// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

/**
 * A search for a victim meets a dirty frame, which waits to be written at the cold end of a list, while another thread
 * ends that wait. Frames 0 to 2 lie in an LRU list in this order, the coldest first; frame 0 is queued for write-back.
 */
interface CleanNotice {
    /** The number of frames. */
    int FRAMES = 3;

    /** {@return the victim of a miss} */
    int search();

    /** Makes frame 0 a frame that can be claimed. */
    void endWrite();
}
