// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

/** One frame, loaded and not pinned, that one thread looks at while another uses it. */
interface DirtyCheck {

    /** Pins the frame to look, and ends the look. */
    void look();

    /** {@return whether a thread that has pinned the frame as a user is taken for one that only looks} */
    boolean useIsTakenForALook();

    /** {@return what is left of pins and marks} */
    String end();
}
