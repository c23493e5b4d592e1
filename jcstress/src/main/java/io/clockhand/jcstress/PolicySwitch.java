// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

/** A pool of one frame with a page, whose policy is exchanged while another thread evicts the page. */
interface PolicySwitch {
    /** Evicts the page and loads another one, unless the frame is in use. */
    void replace();

    /** Evicts the page and frees the frame, unless the frame is in use. */
    void remove();

    /** Exchanges the policy. */
    void exchange();

    /** {@return whether the next policy lists the frame if and only if it has a page} */
    boolean isListedRight();
}
