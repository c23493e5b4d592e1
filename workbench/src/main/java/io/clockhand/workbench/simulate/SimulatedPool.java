// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.simulate;

/** Some frames that pages come into. Not thread-safe. */
interface SimulatedPool {

    /** Refers to a page, a number from 0; returns whether it was here. */
    boolean reference(int page);

    /** How many frames were looked at in search of victims so far. */
    long inspected();
}
