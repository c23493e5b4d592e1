// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.derby;

import io.clockhand.PoolFailedException;
import io.clockhand.cache.HolderCache;
import io.clockhand.cache.HolderCacheStats;
import io.clockhand.cache.HolderLifecycle;
import io.clockhand.cache.KeyExistsException;
import java.time.Duration;
import java.util.Collection;
import org.apache.derby.iapi.services.cache.CacheManager;
import org.apache.derby.iapi.services.cache.Cacheable;
import org.apache.derby.iapi.services.cache.CacheableFactory;
import org.apache.derby.iapi.services.daemon.DaemonService;
import org.apache.derby.iapi.util.Matchable;
import org.apache.derby.shared.common.error.StandardException;
import org.apache.derby.shared.common.reference.SQLState;

/**
 * One of Derby's caches on a {@link HolderCache}. Each method does what Derby's {@link CacheManager} asks of it and is
 * thread-safe; no lock is held while Derby's objects are called.
 *
 * <p><b>Write-back.</b> Before Derby supplies a daemon, as during recovery, a find writes dirty victims back itself.
 * Afterwards the daemon writes them, and a find in the page cache helps when the daemon lags. That find never waits for
 * a latch: it has claimed the page, so no thread can hold the page's latch. In all other caches only the daemon writes:
 * while the database is frozen for a backup, the write-back of a file waits, and finds of the same file must not.
 *
 * <p><b>Waits</b> can last as long as Derby needs (a frozen database, a {@code remove} while others keep the object).
 * They do not time out, but write a line to {@code derby.log} every 30 seconds.
 *
 * <p><b>Failure.</b> If a cache has failed, since memory was used up in the middle of a step for instance, find,
 * create, remove and clean end by an exception with which Derby shuts the database down. It can be booted again
 * then, and recovers.
 */
final class ClockhandCacheManager implements CacheManager {
    static final String PAGE_CACHE = "PageCache";
    private static final Duration LONG_WAIT = Duration.ofSeconds(30);
    private static final int SMALLEST_PAGE_BYTES = 4096;

    private final String name;
    private final int maximumSize;
    private final Settings settings;
    private final boolean refuses;
    private final HolderCache<Object, Cacheable, StandardException> cache;
    private final CacheStatisticsMBean mbean = new CacheStatisticsMBean(this);
    private final HolderCacheBean ownBean = new HolderCacheBean(this);
    private volatile boolean stopped;
    private volatile boolean collecting;
    private DaemonCleaner cleaner;

    ClockhandCacheManager(CacheableFactory holderFactory, String name, int maximumSize, Settings settings) {
        this.name = name;
        this.maximumSize = maximumSize;
        this.settings = settings;
        this.refuses = settings.fault() != null && name.equals(PAGE_CACHE);
        this.cache = HolderCache.builder(new CacheableLifecycle(holderFactory))
                .frames(softMaximum(maximumSize))
                .policy(settings.policy())
                .tuning(t ->
                        t.hand(settings.hand()).table(settings.table()).foregroundCleaning(name.equals(PAGE_CACHE)))
                .tuning(settings.advice()::apply)
                .waitTimeout(LONG_WAIT)
                .onLongWait((what, waited) ->
                        DerbyLog.write("Clockhand: " + name + " has waited " + waited.toSeconds() + " s for " + what))
                .build();
    }

    /** "Unlimited" is a usual setting in Derby, but a frame costs memory here: none that the heap could not fill. */
    private static int softMaximum(int maximumSize) {
        long fillable = Runtime.getRuntime().maxMemory() / SMALLEST_PAGE_BYTES;
        return (int) Math.max(1, Math.min(maximumSize, Math.min(fillable, 1 << 26)));
    }

    @Override
    public Cacheable find(Object key) throws StandardException {
        if (stopped) {
            return null;
        }
        checkSettings();
        try {
            return cache.find(key);
        } catch (PoolFailedException e) {
            throw failed(e);
        }
    }

    @Override
    public Cacheable findCached(Object key) throws StandardException {
        try {
            return stopped ? null : cache.findCached(key);
        } catch (PoolFailedException e) {
            throw failed(e);
        }
    }

    @Override
    public Cacheable create(Object key, Object createParameter) throws StandardException {
        if (stopped) {
            return null;
        }
        checkSettings();
        try {
            return cache.create(key, createParameter);
        } catch (KeyExistsException e) {
            throw StandardException.newException(SQLState.OBJECT_EXISTS_IN_CACHE, name, key);
        } catch (PoolFailedException e) {
            throw failed(e);
        }
    }

    @Override
    public void release(Cacheable item) {
        cache.release(item);
    }

    @Override
    public void remove(Cacheable item) throws StandardException {
        try {
            cache.remove(item);
        } catch (PoolFailedException e) {
            throw failed(e);
        }
    }

    @Override
    public void cleanAll() throws StandardException {
        clean(null);
    }

    @Override
    public void clean(Matchable partialKey) throws StandardException {
        try {
            cache.cleanMatching(key -> partialKey == null || partialKey.match(key));
        } catch (PoolFailedException e) {
            throw failed(e);
        }
    }

    /** {@return Derby's "Unexpected exception on in-memory page {0}", for which it shuts the database down} */
    private StandardException failed(PoolFailedException failure) {
        return StandardException.newException(
                SQLState.DATA_CORRUPT_PAGE, failure, "of " + name + ": " + failure.getMessage());
    }

    @Override
    public void ageOut() {
        try {
            cache.evictClean();
        } catch (PoolFailedException e) {
            // whoever needs an object is told
        }
    }

    @Override
    public boolean discard(Matchable partialKey) {
        try {
            return cache.discard(key -> partialKey == null || partialKey.match(key));
        } catch (PoolFailedException e) {
            return true; // nothing will be written, and Derby, when it truncates a file, repeats this until it is true
        } finally {
            if (partialKey == null) {
                deregister(); // Derby gives the database up, and will not shut this down
            }
        }
    }

    @Override
    public Collection<Cacheable> values() {
        return cache.values();
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // the very failure
    public void shutdown() throws StandardException {
        stopped = true;
        try {
            cleanAll();
        } catch (StandardException | RuntimeException | Error failed) {
            try {
                ageOutAndDeregister();
            } catch (RuntimeException | Error second) {
                if (second != failed) {
                    failed.addSuppressed(second);
                }
            }
            throw failed;
        }
        ageOutAndDeregister();
    }

    /** Objects that are clean leave, and close their files, though others cannot be written. */
    private void ageOutAndDeregister() {
        try {
            ageOut();
        } finally {
            deregister();
        }
    }

    private void deregister() {
        useDaemonService(null);
        deregisterMBean();
        ClockhandDerby.deregister(this);
    }

    /** Derby calls this once, after recovery, while nobody else uses the cache; {@link #shutdown} with null. */
    @Override
    public synchronized void useDaemonService(DaemonService daemon) {
        if (cleaner != null) {
            cleaner.unsubscribe();
            cleaner = null;
            cache.useCleaner(null);
        }
        if (daemon != null) {
            DaemonCleaner subscribed = new DaemonCleaner(cache, daemon);
            cleaner = subscribed;
            cache.useCleaner(subscribed::request);
        }
    }

    @Override
    public void registerMBean(String database) throws StandardException {
        mbean.register(database);
        ownBean.register(database);
    }

    @Override
    public void deregisterMBean() {
        ownBean.deregister();
        mbean.deregister();
    }

    /** The factory must not throw, or Derby would quietly go on with its own cache: the first use of pages does. */
    private void checkSettings() throws StandardException {
        if (refuses) {
            throw StandardException.newPreLocalizedException(SQLState.PROPERTY_INVALID_VALUE, null, settings.fault());
        }
    }

    String name() {
        return name;
    }

    /** {@return what Derby asked for} */
    int maximumSize() {
        return maximumSize;
    }

    Settings settings() {
        return settings;
    }

    HolderCacheStats stats() {
        return cache.stats();
    }

    /** For tests. */
    void fail(Throwable cause) {
        cache.fail(cause);
    }

    /** For tests, while no other thread uses the cache. */
    void checkIntegrity() {
        cache.checkIntegrity();
    }

    boolean isCollecting() {
        return collecting;
    }

    void collect(boolean on) {
        collecting = on;
        cache.collectStats(on);
    }

    void resetEstimates() {
        cache.resetEstimates();
    }

    ClockhandDerby.CacheStatus status() {
        HolderCacheStats stats = cache.stats();
        return new ClockhandDerby.CacheStatus(
                name,
                settings.policy(),
                settings.hand().label(),
                settings.table().label(),
                stats.capacity(),
                stats.frames(),
                stats.resident(),
                stats.maxResident(),
                stats.hits(),
                stats.misses(),
                stats.evictions(),
                stats.estimates());
    }

    /** Derby's objects as holders. */
    private final class CacheableLifecycle implements HolderLifecycle<Object, Cacheable, StandardException> {
        private final CacheableFactory holderFactory;

        CacheableLifecycle(CacheableFactory holderFactory) {
            this.holderFactory = holderFactory;
        }

        /** Derby tells what to make by the manager it is passed, so it must be the one that it was given. */
        @Override
        public Cacheable allocate() {
            return holderFactory.newCacheable(ClockhandCacheManager.this);
        }

        @Override
        public Cacheable load(Cacheable holder, Object key) throws StandardException {
            return holder.setIdentity(key);
        }

        @Override
        public Cacheable create(Cacheable holder, Object key, Object parameter) throws StandardException {
            return holder.createIdentity(key, parameter);
        }

        @Override
        public Object keyOf(Cacheable holder) {
            return holder.getIdentity();
        }

        @Override
        public long idOf(Object key) {
            return KeyTags.of(key);
        }

        @Override
        public boolean isDirty(Cacheable holder) {
            return holder.isDirty();
        }

        @Override
        public void clean(Cacheable holder, boolean removing) throws StandardException {
            holder.clean(removing);
        }

        @Override
        public boolean mayCleanHere() {
            return !DerbyCallers.holdAllocationMonitor();
        }

        @Override
        public void clear(Cacheable holder) {
            if (holder.getIdentity() != null) {
                holder.clearIdentity();
            }
        }
    }
}
