// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.kv.driver;

import io.clockhand.workbench.experiment.options.EnumNames;

/** What a commit has done when it returns. */
public enum Durability {
    /** Others see it; a crash may lose the last ones. */
    LAZY,
    /** It survives a power failure. */
    FORCED;

    /** As it is typed. */
    @Override
    public String toString() {
        return EnumNames.of(this);
    }
}
