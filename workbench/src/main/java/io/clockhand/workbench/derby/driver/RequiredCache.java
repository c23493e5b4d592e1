// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.driver;

import java.util.List;

/**
 * The page cache that the properties and the class path of a child JVM ask for.
 *
 * @param policy of Clockhand's cache, or null for Derby's own
 * @param jars that Clockhand's classes must come from, with their real paths; empty for those of the workbench
 * @param pages its size
 */
public record RequiredCache(String policy, List<String> jars, int pages) {

    /** Of the version of Clockhand that the workbench was built with. */
    public RequiredCache(String policy, int pages) {
        this(policy, List.of(), pages);
    }
}
