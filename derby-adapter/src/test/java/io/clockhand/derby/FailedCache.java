// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.derby;

/** Lets caches fail, in the class loader of their engine: see {@link DerbyHost#failCaches}. */
public final class FailedCache {
    private FailedCache() {}

    /**
     * Lets the caches of a name fail.
     *
     * @param name Derby's name for them
     */
    public static void fail(String name) {
        for (ClockhandCacheManager manager : ClockhandDerby.managers()) {
            if (manager.name().equals(name)) {
                manager.fail(new OutOfMemoryError("for a test"));
            }
        }
    }
}
