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

/** Reads the state of the running database's page cache: by the MBean that both caches have, or from the adapter. */
public final class CacheProbe {
    public static final String PAGE_CACHE = "PageCache";

    private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    private final ObjectName cache;
    private final boolean isClockhand;
    private int maxResidentPages;

    /**
     * Finds the cache that the properties and the class path of this JVM ask for.
     *
     * @throws IllegalStateException if another one is in force: Derby falls back to its own without a word
     */
    public CacheProbe(Contender contender, int pages) throws Exception {
        isClockhand = contender.policy() != null;
        require(
                isClockhand == ClockhandDerby.inForce(),
                isClockhand
                        ? "Clockhand's cache was asked for, but Derby fell back to its own; its log says why"
                        : "Derby's own cache was asked for, but Clockhand's is in force");
        Set<ObjectName> found =
                server.queryNames(new ObjectName("org.apache.derby:type=CacheManager,name=" + PAGE_CACHE + ",*"), null);
        require(found.size() == 1, "Derby shows " + found.size() + " page caches instead of one");
        cache = found.iterator().next();
        if (isClockhand) {
            String policy = status().policy();
            require(
                    policy.equals(contender.policy()),
                    "policy " + contender.policy() + " was asked for, but " + policy + " is in force");
        }
        long inForce = isClockhand ? status().softMaximum() : number("MaxEntries");
        require(
                inForce == pages,
                "a pool of " + pages + " pages was asked for, but one of " + inForce + " is in force");
        if (!contender.jars().isEmpty()) {
            requireFrom(contender.jars(), ClockhandDerby.class);
            requireFrom(contender.jars(), ReplacementPolicy.class);
        }
    }

    private static void requireFrom(List<String> jars, Class<?> type) throws URISyntaxException {
        String source = Path.of(
                        type.getProtectionDomain().getCodeSource().getLocation().toURI())
                .toString();
        require(
                jars.contains(source),
                type.getName() + " of " + String.join(", ", jars) + " was asked for, but that of " + source
                        + " is in force");
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalStateException(otherwise);
        }
    }

    /** The frames with a page in them. */
    public int residentPages() throws JMException {
        return (int) number("UsedEntries");
    }

    /**
     * Counts hits and misses from now on; to be called once.
     *
     * @param advised whether the cache estimates hit ratios, which then start anew
     */
    public void startCounting(boolean advised) throws JMException {
        server.setAttribute(cache, new Attribute("CollectAccessCounts", true));
        if (advised) {
            ClockhandDerby.resetEstimates(); // which older versions do not have
        }
    }

    /** Null if nothing was referred to. */
    public Double hitRatio() throws JMException {
        long hits = number("HitCount");
        long references = hits + number("MissCount");
        return references == 0 ? null : Double.valueOf((double) hits / references);
    }

    /** The hit ratios that the cache has estimated; empty if it does not. */
    public List<Estimated> estimates() {
        return isClockhand ? Estimated.of(status().estimates(), status().softMaximum()) : List.of();
    }

    /** Samples the resident pages of Derby's own cache; Clockhand's records their maximum itself. */
    public void sample() throws JMException {
        if (!isClockhand) {
            maxResidentPages = Math.max(maxResidentPages, residentPages());
        }
    }

    /** The most pages seen resident so far. */
    public int maxResidentPages() throws JMException {
        sample();
        return isClockhand ? status().maxResident() : maxResidentPages;
    }

    /** Of Clockhand's page cache. */
    public static CacheStatus status() {
        return ClockhandDerby.caches().stream()
                .filter(status -> status.cache().equals(PAGE_CACHE))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("Clockhand's adapter holds no page cache"));
    }

    private long number(String attribute) throws JMException {
        return ((Number) server.getAttribute(cache, attribute)).longValue();
    }
}
