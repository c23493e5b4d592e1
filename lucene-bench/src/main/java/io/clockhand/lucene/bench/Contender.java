// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.lucene.bench;

import io.clockhand.workbench.experiment.options.EnumNames;

/** A way to read the files of an index. */
enum Contender {
    MMAP(false),
    MMAP_RANDOM(false),
    NIO(false),
    CAFFEINE(true),
    CAFFEINE_DIRECT(true),
    CLOCKHAND(true),
    CLOCKHAND_DIRECT(true);

    private final boolean ownCache;

    Contender(boolean ownCache) {
        this.ownCache = ownCache;
    }

    /** Whether its memory is a cache of its own, and not the operating system's page cache. */
    boolean hasOwnCache() {
        return ownCache;
    }

    boolean isDirect() {
        return this == CAFFEINE_DIRECT || this == CLOCKHAND_DIRECT;
    }

    /** As it is typed. */
    @Override
    public String toString() {
        return EnumNames.of(this);
    }
}
