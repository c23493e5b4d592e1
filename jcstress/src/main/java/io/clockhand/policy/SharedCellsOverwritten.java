// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

/** Broken: a thread fills a cell that another has filled meanwhile. */
public final class SharedCellsOverwritten extends SharedCells {
    public SharedCellsOverwritten() {
        super(thatAreOverwritten());
    }
}
