// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.driver;

import io.clockhand.derby.ClockhandDerby;
import io.clockhand.derby.ClockhandDerby.CacheStatus;
import io.clockhand.workbench.report.Estimated;
import java.util.List;

/** Clockhand's cache, seen through the static queries of its adapter. */
final class ClockhandProbe implements CacheProbe {

    ClockhandProbe(String policy) {
        String inForce = pageCache().policy();
        if (!inForce.equals(policy)) {
            throw new IllegalStateException("policy " + policy + " was asked for, but " + inForce + " is in force");
        }
    }

    @Override
    public int poolPages() {
        return pageCache().softMaximum();
    }

    @Override
    public void resetEstimates() {
        ClockhandDerby.resetEstimates();
    }

    @Override
    public List<Estimated> estimates() {
        CacheStatus status = pageCache();
        return Estimated.of(status.estimates(), status.softMaximum());
    }

    @Override
    public int residentPages() {
        return pageCache().resident();
    }

    @Override
    public void countHits() {
        ClockhandDerby.collectCounts(true);
    }

    @Override
    public Counts counts() {
        CacheStatus status = pageCache();
        return new Counts(status.hits(), status.misses());
    }

    /** Does nothing: the cache records the maximum itself, and a sample would scan every frame. */
    @Override
    public void sample() {}

    @Override
    public int maxResidentPages() {
        return pageCache().maxResident();
    }

    private static CacheStatus pageCache() {
        return ClockhandDerby.caches().stream()
                .filter(status -> status.cache().equals(PAGE_CACHE))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("Clockhand's adapter holds no page cache"));
    }
}
