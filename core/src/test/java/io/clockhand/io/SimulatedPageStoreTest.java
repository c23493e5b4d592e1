// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.io;

import io.clockhand.testkit.PageStoreContract;
import io.clockhand.testkit.SimulatedDisk;
import java.io.IOException;

/** The contract of a store, on a simulated disk without faults. */
class SimulatedPageStoreTest extends PageStoreContract {
    private final SimulatedDisk disk = new SimulatedDisk(1);

    @Override
    protected PageStore open() throws IOException {
        return disk.pages("pages", pageBytes());
    }
}
