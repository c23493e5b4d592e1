// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.kv.driver;

import io.clockhand.workbench.experiment.options.EnumNames;

/** What is played. */
public enum Work {
    /** Entries in random order into an empty store, a hundred in a transaction. */
    LOAD,
    /** The values of keys that are drawn, all alike. */
    GETS,
    /** Four gets for each new value of a key that is there. */
    MIXED,
    /** New keys, one in a transaction. */
    INSERTS,
    /** Entries in the order of their keys, from a drawn key on. */
    SCANS,
    /** New values for keys that are there, one in a transaction. */
    UPDATES;

    /** How many entries a transaction of {@link #LOAD} has. */
    static final int LOADED_AT_ONCE = 100;

    /** As it is typed. */
    @Override
    public String toString() {
        return EnumNames.of(this);
    }
}
