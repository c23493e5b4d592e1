// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc.pool;

import io.clockhand.io.PageStore;
import java.io.IOException;

/** Makes the pool of a scheme by its name. */
public final class Pools {
    /** Clockhand's page pool with the clock that is its default. */
    public static final String CLOCK = "clock-c";

    /** Before the name of any policy, which Clockhand's page pool then has. */
    public static final String POOL = "pool:";

    private static final String CLOCK_POLICY = "nb-gclock3";

    private Pools() {}

    /**
     * Makes an empty pool.
     *
     * @param scheme its name
     * @param store has the pages; is not closed together with the pool
     * @param slowness by which rates of schemes are divided, since the device writes slower by as much
     * @throws IOException if the store cannot be opened
     */
    public static ComparedPool make(String scheme, PageStore store, int frames, double slowness) throws IOException {
        if (scheme.equals(CLOCK)) {
            return new ClockPool(store, frames, CLOCK_POLICY);
        }
        if (scheme.startsWith(POOL)) {
            return new ClockPool(store, frames, scheme.substring(POOL.length()));
        }
        return new ListPool(store, frames, Scheme.of(scheme, frames, slowness));
    }
}
