// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.driver;

import io.clockhand.derby.ClockhandDerby;
import io.clockhand.policy.ReplacementPolicy;
import io.clockhand.workbench.report.Estimated;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;

/** Reads the state of the running database's page cache. */
public interface CacheProbe {
    String PAGE_CACHE = "PageCache";

    /** Hits and misses since counting began. */
    record Counts(long hits, long misses) {
        public Double hitRatio() {
            return hits + misses == 0 ? null : (double) hits / (hits + misses);
        }

        public Counts since(Counts earlier) {
            return new Counts(hits - earlier.hits, misses - earlier.misses);
        }
    }

    /**
     * The probe of the cache that was asked for.
     *
     * @throws IllegalStateException if another one is in force: Derby falls back to its own without a word
     */
    static CacheProbe of(RequiredCache required) throws Exception {
        CacheProbe probe = of(required.policy());
        if (probe.poolPages() != required.pages()) {
            throw new IllegalStateException("a pool of " + required.pages() + " pages was asked for, but one of "
                    + probe.poolPages() + " is in force");
        }
        if (!required.jars().isEmpty()) {
            requireFrom(required.jars(), ClockhandDerby.class);
            requireFrom(required.jars(), ReplacementPolicy.class);
        }
        return probe;
    }

    private static void requireFrom(List<String> jars, Class<?> type) throws URISyntaxException {
        Path source =
                Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
        if (!jars.contains(source.toString())) {
            throw new IllegalStateException(type.getName() + " of " + String.join(", ", jars)
                    + " was asked for, but that of " + source + " is in force");
        }
    }

    private static CacheProbe of(String policy) throws Exception {
        boolean clockhand = ClockhandDerby.inForce();
        if (policy == null) {
            if (clockhand) {
                throw new IllegalStateException("Derby's own cache was asked for, but Clockhand's is in force");
            }
            return new StockProbe();
        }
        if (!clockhand) {
            throw new IllegalStateException(
                    "Clockhand's cache was asked for, but Derby fell back to its own; its log says why");
        }
        return new ClockhandProbe(policy);
    }

    /** The size in force. */
    int poolPages() throws Exception;

    /** The pages in the cache now. */
    int residentPages() throws Exception;

    void countHits() throws Exception;

    Counts counts() throws Exception;

    /** Starts the estimates of hit ratios anew, if the cache makes any. */
    void resetEstimates();

    /** The hit ratios that the cache has estimated; empty if it does not. */
    List<Estimated> estimates();

    /** Samples the resident pages of a cache that does not record their maximum itself; to be called periodically. */
    void sample() throws Exception;

    /** The most pages seen resident so far. */
    int maxResidentPages() throws Exception;
}
