// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby;

import io.clockhand.policy.Policies;
import io.clockhand.workbench.options.Names;
import java.util.List;
import java.util.stream.Stream;

/**
 * A page cache of Derby.
 *
 * @param name as typed, repeated in every report
 * @param policy for Clockhand's adapter, or null for Derby's own cache
 */
public record Contender(String name, String policy) {
    public static final String DERBY = "derby";

    /** Throws with the possible names and the nearest if there is no such cache. */
    public static Contender of(String name) {
        if (!possible().contains(name)) {
            throw new IllegalArgumentException(Names.unknown("cache", name, possible()));
        }
        return new Contender(name, name.equals(DERBY) ? null : name);
    }

    /** Derby's own, and the policies of Clockhand. */
    public static List<String> possible() {
        return Stream.concat(Stream.of(DERBY), Policies.names().stream()).toList();
    }

    public boolean isDerby() {
        return policy == null;
    }

    @Override
    public String toString() {
        return name;
    }
}
