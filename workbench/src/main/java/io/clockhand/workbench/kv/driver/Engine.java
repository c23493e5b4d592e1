// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.kv.driver;

import io.clockhand.workbench.experiment.options.EnumNames;

/** The example on the page pool, TuplDB, H2's MVStore, and JetBrains Xodus. */
public enum Engine {
    EXAMPLE,
    TUPL,
    MVSTORE,
    XODUS;

    @Override
    public String toString() {
        return EnumNames.of(this);
    }
}
