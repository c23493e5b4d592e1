// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby;

import java.util.Locale;

/** The durability of commits. */
public enum Durability {
    /** Nothing: {@code derby.system.durability=test}, so that the cache is measured and not the disk. */
    TEST,
    /** The log on disk. */
    FULL;

    /** As options and reports have it. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
