// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.driver;

import io.clockhand.derby.ClockhandDerby;
import io.clockhand.derby.ClockhandDerby.CacheStatus;
import io.clockhand.policy.ReplacementPolicy;
import io.clockhand.workbench.derby.Contender;
import io.clockhand.workbench.experiment.report.Estimated;
import java.lang.management.ManagementFactory;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import javax.management.Attribute;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/** Reads the state of the running database's page cache. */
public interface CacheProbe {
    String PAGE_CACHE = "PageCache";

    /** Hits and misses since counting began. */
    record Counts(long hits, long misses) {
        /** Null if nothing was referred to. */
        public Double hitRatio() {
            return hits + misses == 0 ? null : (double) hits / (hits + misses);
        }

        public Counts since(Counts earlier) {
            return new Counts(hits - earlier.hits, misses - earlier.misses);
        }
    }

    /**
     * The probe of the cache that the properties and the class path of this JVM ask for.
     *
     * @throws IllegalStateException if another one is in force: Derby falls back to its own without a word
     */
    static CacheProbe of(Contender cache, int pages) throws Exception {
        CacheProbe probe = of(cache.policy());
        if (probe.poolPages() != pages) {
            throw new IllegalStateException(
                    "a pool of " + pages + " pages was asked for, but one of " + probe.poolPages() + " is in force");
        }
        if (!cache.jars().isEmpty()) {
            requireFrom(cache.jars(), ClockhandDerby.class);
            requireFrom(cache.jars(), ReplacementPolicy.class);
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
        ClockhandProbe probe = new ClockhandProbe();
        String inForce = probe.status().policy();
        if (!inForce.equals(policy)) {
            throw new IllegalStateException("policy " + policy + " was asked for, but " + inForce + " is in force");
        }
        return probe;
    }

    /** The size in force. */
    int poolPages() throws Exception;

    /** The pages in the cache now. */
    int residentPages() throws Exception;

    void countHits() throws Exception;

    Counts counts() throws Exception;

    /** Starts the estimates of hit ratios anew, if the cache makes any. */
    default void resetEstimates() {}

    /** The hit ratios that the cache has estimated; empty if it does not. */
    default List<Estimated> estimates() {
        return List.of();
    }

    /** Samples the resident pages of a cache that does not record their maximum itself; to be called periodically. */
    default void sample() throws Exception {}

    /** The most pages seen resident so far. */
    int maxResidentPages() throws Exception;

    /** Clockhand's cache, seen through the queries of its adapter; not sampled, since that would scan all frames. */
    final class ClockhandProbe implements CacheProbe {
        @Override
        public int poolPages() {
            return status().softMaximum();
        }

        @Override
        public int residentPages() {
            return status().resident();
        }

        @Override
        public void countHits() {
            ClockhandDerby.collectCounts(true);
        }

        @Override
        public Counts counts() {
            CacheStatus status = status();
            return new Counts(status.hits(), status.misses());
        }

        @Override
        public void resetEstimates() {
            ClockhandDerby.resetEstimates();
        }

        @Override
        public List<Estimated> estimates() {
            CacheStatus status = status();
            return Estimated.of(status.estimates(), status.softMaximum());
        }

        @Override
        public int maxResidentPages() {
            return status().maxResident();
        }

        private CacheStatus status() {
            return ClockhandDerby.caches().stream()
                    .filter(status -> status.cache().equals(PAGE_CACHE))
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException("Clockhand's adapter holds no page cache"));
        }
    }

    /** Derby's own cache, seen through its MBean; only {@link #countHits} makes it slower. */
    final class StockProbe implements CacheProbe {
        private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        private final ObjectName cache;
        private int maxResidentPages;

        StockProbe() throws JMException {
            Set<ObjectName> found = server.queryNames(
                    new ObjectName("org.apache.derby:type=CacheManager,name=" + PAGE_CACHE + ",*"), null);
            if (found.size() != 1) {
                throw new IllegalStateException("Derby shows " + found.size() + " page caches instead of one");
            }
            cache = found.iterator().next();
        }

        @Override
        public int poolPages() throws JMException {
            return (int) number("MaxEntries");
        }

        /** UsedEntries, the size of the cache's map: frames with a page in them. */
        @Override
        public int residentPages() throws JMException {
            return (int) number("UsedEntries");
        }

        @Override
        public void countHits() throws JMException {
            server.setAttribute(cache, new Attribute("CollectAccessCounts", true));
        }

        @Override
        public Counts counts() throws JMException {
            return new Counts(number("HitCount"), number("MissCount"));
        }

        @Override
        public void sample() throws JMException {
            maxResidentPages = Math.max(maxResidentPages, residentPages());
        }

        @Override
        public int maxResidentPages() throws JMException {
            sample();
            return maxResidentPages;
        }

        private long number(String attribute) throws JMException {
            return ((Number) server.getAttribute(cache, attribute)).longValue();
        }
    }
}
