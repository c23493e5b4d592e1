// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.kv.driver;

import io.clockhand.workbench.options.Choice;
import java.util.List;
import java.util.Locale;

/** What is played. */
public enum Work {
    /** Entries in random order into an empty store, a hundred in a transaction. */
    LOAD,
    /** The values of keys that are drawn, all alike. */
    GETS,
    /** Four gets, and a new value for a key that is there. */
    MIXED,
    /** New keys, one in a transaction. */
    INSERTS,
    /** Entries in the order of their keys, from a drawn key on. */
    SCANS,
    /** New values for keys that are there, one in a transaction. */
    UPDATES;

    /** How many entries a transaction of {@link #LOAD} has. */
    static final int LOADED_AT_ONCE = 100;

    boolean beginsEmpty() {
        return this == LOAD;
    }

    /** As it is typed. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The values of {@code --work}. */
    public static final class Names extends Choice<Work> {
        public Names() {
            super("work", List.of(values()), Work::toString);
        }
    }
}
