// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby;

import io.clockhand.workbench.options.Choice;

/** The values of an option {@code --caches}, which may name a version after the cache. */
final class CacheChoice extends Choice<String> {
    CacheChoice() {
        super("cache", Contender.possible(), name -> name);
    }

    /** Refuses an unknown cache; versions are checked when all options are known. */
    @Override
    public String convert(String name) {
        super.convert(Contender.cacheOf(name));
        return name;
    }
}
