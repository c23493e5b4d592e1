// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.driver;

import java.util.Collection;
import java.util.function.UnaryOperator;
import org.apache.derby.iapi.services.cache.CacheFactory;
import org.apache.derby.iapi.services.cache.CacheManager;
import org.apache.derby.iapi.services.cache.Cacheable;
import org.apache.derby.iapi.services.cache.CacheableFactory;
import org.apache.derby.iapi.services.daemon.DaemonService;
import org.apache.derby.iapi.util.Matchable;
import org.apache.derby.shared.common.error.StandardException;

/** A cache of Derby with something put in front of it: passes all calls on. */
public class ForwardingCache implements CacheManager {
    private final CacheManager target;

    protected ForwardingCache(CacheManager target) {
        this.target = target;
    }

    /**
     * A cache as Derby would have got it, in front of which stands another if it is the one for pages.
     *
     * @param caches makes them
     * @param front puts something in front of a cache
     */
    public static CacheManager of(
            CacheFactory caches,
            CacheableFactory holders,
            String name,
            int initial,
            int maximum,
            UnaryOperator<CacheManager> front) {
        if (!name.equals(CacheProbe.PAGE_CACHE)) {
            return caches.newCacheManager(holders, name, initial, maximum);
        }
        // Derby tells what to make by the manager that it was given.
        CacheManager[] given = new CacheManager[1];
        CacheableFactory forwarded = inner -> holders.newCacheable(given[0]);
        given[0] = front.apply(caches.newCacheManager(forwarded, name, initial, maximum));
        return given[0];
    }

    @Override
    public Cacheable find(Object key) throws StandardException {
        return target.find(key);
    }

    @Override
    public Cacheable findCached(Object key) throws StandardException {
        return target.findCached(key);
    }

    @Override
    public Cacheable create(Object key, Object createParameter) throws StandardException {
        return target.create(key, createParameter);
    }

    @Override
    public void release(Cacheable entry) {
        target.release(entry);
    }

    @Override
    public void remove(Cacheable entry) throws StandardException {
        target.remove(entry);
    }

    @Override
    public void cleanAll() throws StandardException {
        target.cleanAll();
    }

    @Override
    public void clean(Matchable partialKey) throws StandardException {
        target.clean(partialKey);
    }

    @Override
    public void ageOut() {
        target.ageOut();
    }

    @Override
    public void shutdown() throws StandardException {
        target.shutdown();
    }

    @Override
    public void useDaemonService(DaemonService daemon) {
        target.useDaemonService(daemon);
    }

    @Override
    public boolean discard(Matchable partialKey) {
        return target.discard(partialKey);
    }

    @Override
    @SuppressWarnings("unchecked") // Derby's is a raw type
    public Collection<Cacheable> values() {
        return target.values();
    }

    @Override
    public void registerMBean(String database) throws StandardException {
        target.registerMBean(database);
    }

    @Override
    public void deregisterMBean() {
        target.deregisterMBean();
    }
}
