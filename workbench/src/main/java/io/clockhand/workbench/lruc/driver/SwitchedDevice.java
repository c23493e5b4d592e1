// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc.driver;

import io.clockhand.io.PageStore;
import io.clockhand.workbench.pages.device.ForwardingStore;
import io.clockhand.workbench.pages.device.SimulatedSsd;

/**
 * A simulated device that can be switched off: then requests go to its store at once. Calls that are waiting when it is
 * switched off wait to their end. Off at the beginning. Thread-safe.
 */
final class SwitchedDevice extends ForwardingStore {
    private final PageStore store;
    private final SimulatedSsd device;
    private volatile boolean on;

    SwitchedDevice(PageStore store, SimulatedSsd device) {
        this.store = store;
        this.device = device;
    }

    void setOn(boolean newOn) {
        on = newOn;
    }

    @Override
    protected PageStore target() {
        return on ? device : store;
    }
}
