// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.derby;

import io.clockhand.HitRatioEstimate;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Tells whether Clockhand is in force in this JVM, and how its caches are doing. Thread-safe.
 *
 * <p>All of it can be asked even where Derby's classes are not to be had, as on a module path without the flags that
 * Clockhand needs there: the caches are named in loops, since a lambda would link their class when there is none.
 */
public final class ClockhandDerby {
    /** Weakly, since Derby forgets some of its caches without shutting them down. */
    private static final Queue<WeakReference<ClockhandCacheManager>> CACHES = new ConcurrentLinkedQueue<>();

    private ClockhandDerby() {}

    /**
     * One of Derby's caches at this moment. Counts cover the time in which {@link #collectCounts} was on.
     *
     * @param cache Derby's name for it
     * @param policy the replacement policy
     * @param hand how the hand of a clock is moved
     * @param table where keys are looked up
     * @param softMaximum the objects it may hold as long as not all of them are in use
     * @param frames the objects it has room for now
     * @param resident the objects in it now
     * @param maxResident the most objects in it at any time, or a few more
     * @param hits finds that found their object
     * @param misses finds that did not find their object, whether they loaded it or not
     * @param evictions objects that left for others
     * @param estimates hit ratios at other sizes and with other policies; empty unless {@code clockhand.derby.advises}
     *     is true
     */
    public record CacheStatus(
            String cache,
            String policy,
            String hand,
            String table,
            int softMaximum,
            int frames,
            int resident,
            int maxResident,
            long hits,
            long misses,
            long evictions,
            List<HitRatioEstimate> estimates) {}

    /** {@return whether Derby has made a cache with Clockhand in this JVM that is in use still} */
    public static boolean inForce() {
        return !managers().isEmpty();
    }

    /** {@return the caches that Derby has made and not shut down, of all databases of this JVM} */
    public static List<CacheStatus> caches() {
        List<CacheStatus> caches = new ArrayList<>();
        for (ClockhandCacheManager manager : managers()) {
            caches.add(manager.status());
        }
        return List.copyOf(caches);
    }

    /**
     * Starts or stops counting hits, misses and evictions in all caches that exist now.
     *
     * @param on whether to count
     */
    public static void collectCounts(boolean on) {
        for (ClockhandCacheManager manager : managers()) {
            manager.collect(on);
        }
    }

    /** Starts the estimates of hit ratios anew in all caches that make them. */
    public static void resetEstimates() {
        for (ClockhandCacheManager manager : managers()) {
            manager.resetEstimates();
        }
    }

    /** {@return the version of Clockhand; "unknown" where a security manager hides it} */
    public static String version() {
        try (InputStream in = ClockhandDerby.class.getResourceAsStream("version.properties")) {
            Properties properties = new Properties();
            if (in != null) {
                properties.load(in);
            }
            return properties.getProperty("version", "unknown");
        } catch (IOException | SecurityException e) {
            return "unknown";
        }
    }

    static void register(ClockhandCacheManager cache) {
        CACHES.add(new WeakReference<>(cache));
    }

    static void deregister(ClockhandCacheManager cache) {
        CACHES.removeIf(reference -> reference.get() == cache || reference.refersTo(null));
    }

    static List<ClockhandCacheManager> managers() {
        List<ClockhandCacheManager> managers = new ArrayList<>();
        for (WeakReference<ClockhandCacheManager> reference : CACHES) {
            ClockhandCacheManager manager = reference.get();
            if (manager != null) {
                managers.add(manager);
            }
        }
        return managers;
    }
}
