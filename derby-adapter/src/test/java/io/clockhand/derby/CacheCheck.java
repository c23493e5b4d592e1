// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.derby;

import java.util.List;
import java.util.stream.Collectors;

/** Checks the caches of databases that have been shut down: sound in themselves, no page or file kept or left. */
@FunctionalInterface
public interface CacheCheck {
    /**
     * Checks.
     *
     * @throws Exception if a cache is not sound, or a page or file was left in it
     */
    void run() throws Exception;

    /** The check in the class loader of the engine, for the caches that exist when it is made. */
    final class Inside implements CacheCheck {
        private final List<ClockhandCacheManager> managers = ClockhandDerby.managers();

        /** Made by {@link DerbyHost#cacheCheck}. */
        public Inside() {}

        @Override
        public void run() {
            for (ClockhandCacheManager manager : managers) {
                manager.checkIntegrity();
                boolean storage = List.of(ClockhandCacheManager.PAGE_CACHE, "ContainerCache")
                        .contains(manager.name());
                if (storage && (manager.stats().pinned() > 0 || manager.stats().resident() > 0)) {
                    throw new IllegalStateException(
                            "left after the shutdown: " + left(manager) + " in " + manager.status());
                }
            }
        }

        private static String left(ClockhandCacheManager manager) {
            String holders = manager.values().stream()
                    .map(holder -> holder.getIdentity() + (holder.isDirty() ? " (dirty)" : ""))
                    .collect(Collectors.joining(", "));
            return holders + ", " + manager.stats().pinned() + " kept,";
        }
    }
}
