// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.tpcc;

import io.clockhand.workbench.Names;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A page cache that can be asked for.
 *
 * @param name as typed, repeated in every report
 * @param policy for Clockhand's adapter, or null for Derby's own cache
 */
record Contender(String name, String policy) {
    static final String DERBY = "derby";

    /** The one place that knows which names there are, and what each means to the adapter. */
    private static final Map<String, String> POLICIES = new LinkedHashMap<>();

    static {
        POLICIES.put(DERBY, null);
        POLICIES.put("nb-gclock3", "nb-gclock3");
        POLICIES.put("nb-gclock", "nb-gclock");
        POLICIES.put("lru", "locked:lru");
        POLICIES.put("locked:lru", "locked:lru");
    }

    /** Throws with the possible names and the nearest if there is no such cache. */
    static Contender of(String name) {
        if (!POLICIES.containsKey(name)) {
            throw new IllegalArgumentException(Names.unknown("cache", name, possible()));
        }
        return new Contender(name, POLICIES.get(name));
    }

    static List<String> possible() {
        return List.copyOf(POLICIES.keySet());
    }

    boolean isDerby() {
        return policy == null;
    }
}
