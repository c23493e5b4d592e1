// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.derby;

import org.apache.derby.iapi.services.cache.CacheFactory;
import org.apache.derby.iapi.services.cache.CacheManager;
import org.apache.derby.iapi.services.cache.CacheableFactory;
import org.apache.derby.iapi.services.monitor.Monitor;

/**
 * Makes Clockhand's caches for Apache Derby in the place of Derby's own.
 *
 * <p>Activated by one line in {@code derby.properties}, with this jar on the class path:
 *
 * <pre>derby.module.clockhand=io.clockhand.derby.ClockhandCacheFactory</pre>
 *
 * <p>or by the jar with the classifier {@code auto} on the class path beside it, without a line.
 *
 * <p>Settings, in {@code derby.properties} or as system properties ({@code clockhand.derby.policy}, {@code
 * clockhand.derby.hand}, {@code clockhand.derby.table}; for one cache {@code clockhand.derby.PageCache.policy} and so
 * on), have the names of {@link io.clockhand.policy.Policies}, {@link io.clockhand.policy.ClockHand} and {@link
 * io.clockhand.cache.KeyTableKind}; {@code advises}, {@code advisedPolicies} and {@code adviceTimeFraction} are those
 * of {@link io.clockhand.cache.CacheTuning}. A name or value that does not exist makes the connection to the database
 * fail with the list of those that do.
 *
 * <p>Derby falls back to its own cache silently if it cannot load this class. {@link ClockhandDerby#inForce()} and a
 * line in {@code derby.log} say that it did load it.
 *
 * <p>Made by Derby at each start of its engine; thread-safe.
 */
public final class ClockhandCacheFactory implements CacheFactory {
    private boolean announced;

    /**
     * Called by Derby.
     *
     * @throws SecurityException if a security manager does not let Clockhand use Derby's internal classes; Derby writes
     *     the message to its log, and uses its own cache
     */
    public ClockhandCacheFactory() {
        try {
            Monitor.getMonitorLite();
        } catch (SecurityException e) {
            throw new SecurityException(
                    "Clockhand is not in force, and Derby uses its own cache: under this security manager, grant the"
                            + " jars of Clockhand org.apache.derby.shared.common.security.SystemPermission"
                            + " \"engine\", \"usederbyinternals\" (" + e.getMessage() + ")",
                    e);
        } catch (IllegalAccessError e) {
            // A package of Derby is not exported. Thrown here, it would make Derby use its own cache silently; thrown
            // by
            // the first use, it keeps the database from booting, and names the package.
        }
    }

    /**
     * Makes a cache. Never throws: Derby would go on without saying anything.
     *
     * @param holderFactory makes the holders
     * @param name the name of the cache
     * @param initialSize ignored; holders are made when they are needed
     * @param maximumSize the soft maximum of holders
     * @return a new cache
     */
    @Override
    public CacheManager newCacheManager(CacheableFactory holderFactory, String name, int initialSize, int maximumSize) {
        Settings settings = Settings.read(name);
        announce();
        ClockhandCacheManager cache = new ClockhandCacheManager(holderFactory, name, maximumSize, settings);
        ClockhandDerby.register(cache);
        return cache;
    }

    private synchronized void announce() {
        if (!announced) {
            announced = true;
            Settings pages = Settings.read(ClockhandCacheManager.PAGE_CACHE);
            DerbyLog.write("Clockhand " + ClockhandDerby.version()
                    + (pages.fault() == null
                            ? " is in force as Derby's cache; PageCache: "
                            : " is Derby's cache, but lets no database boot: ")
                    + pages);
        }
    }
}
