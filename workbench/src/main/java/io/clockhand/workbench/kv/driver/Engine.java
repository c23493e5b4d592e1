// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.kv.driver;

import io.clockhand.workbench.experiment.options.EnumNames;

/** The engines. */
public enum Engine {
    /** The example on the page pool. */
    EXAMPLE,
    /** TuplDB. */
    TUPL,
    /** H2's MVStore. */
    MVSTORE,
    /** JetBrains Xodus. */
    XODUS;

    /** As it is typed. */
    @Override
    public String toString() {
        return EnumNames.of(this);
    }
}
