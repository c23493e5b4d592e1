// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.derby;

import org.apache.derby.iapi.services.jmx.ManagementService;
import org.apache.derby.iapi.services.monitor.Monitor;
import org.apache.derby.mbeans.CacheManagerMBean;
import org.apache.derby.shared.common.error.StandardException;
import org.apache.derby.shared.common.reference.Module;

/** Derby's own management bean for one of its caches, with the names and meanings that Derby documents. */
final class CacheStatisticsMBean implements CacheManagerMBean {
    private final ClockhandCacheManager cache;
    private Object registration;

    CacheStatisticsMBean(ClockhandCacheManager cache) {
        this.cache = cache;
    }

    synchronized void register(String database) throws StandardException {
        ManagementService management = management();
        if (management != null && registration == null) {
            registration = management.registerMBean(
                    this,
                    CacheManagerMBean.class,
                    "type=CacheManager,name=" + cache.name() + ",db=" + management.quotePropertyValue(database));
        }
    }

    synchronized void deregister() {
        ManagementService management = management();
        if (management != null && registration != null) {
            management.unregisterMBean(registration);
        }
        registration = null;
    }

    /** {@return Derby's service, or null where there is none, or a security manager denies it} */
    static ManagementService management() {
        try {
            return (ManagementService) Monitor.getSystemModule(Module.JMX);
        } catch (SecurityException e) {
            return null;
        }
    }

    @Override
    public void setCollectAccessCounts(boolean collect) {
        cache.collect(collect);
    }

    @Override
    public boolean getCollectAccessCounts() {
        return cache.isCollecting();
    }

    @Override
    public long getHitCount() {
        return cache.stats().hits();
    }

    @Override
    public long getMissCount() {
        return cache.stats().misses();
    }

    @Override
    public long getEvictionCount() {
        return cache.stats().evictions();
    }

    @Override
    public long getMaxEntries() {
        return cache.maximumSize();
    }

    @Override
    public long getAllocatedEntries() {
        return cache.stats().maxResident();
    }

    @Override
    public long getUsedEntries() {
        return cache.stats().resident();
    }
}
