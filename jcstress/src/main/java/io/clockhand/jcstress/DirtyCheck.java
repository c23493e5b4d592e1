// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

/** One frame, loaded and not pinned, that one thread tests for dirt while another uses it. */
interface DirtyCheck {

    /** Pins the frame for a dirty check, and ends it. */
    void check();

    /** {@return whether a user's pin is taken for that of a dirty check} */
    boolean useIsTakenForADirtyCheck();

    /** {@return what is left of pins and marks} */
    String end();
}
