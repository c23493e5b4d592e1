// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

/** A number that a thread returns while another one raises the limit above it. */
interface RaisedLimit {
    /** Returns the number. */
    void giveBack();

    /** Raises the limit. */
    void raise();

    /** {@return how often the number can be taken now} */
    int takings();
}
