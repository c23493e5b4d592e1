// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

/**
 * Two threads map one page, for whose chunk there is no space until the second thread makes some: in core's table of
 * arrays, or in the copy of it.
 */
interface OverflowedPage {

    /** {@return whether this call has mapped the page} */
    boolean map(int frame);

    /** Makes the hand unlink another chunk. */
    void makeSpace();
}
