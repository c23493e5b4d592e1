// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.derby;

import io.clockhand.HitRatioEstimate;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.management.JMException;
import javax.management.ObjectName;
import org.apache.derby.iapi.services.jmx.ManagementService;

/**
 * Clockhand's own management bean of a cache.
 *
 * <p>Derby's management service names every bean {@code org.apache.derby:…}, so this one is registered beside it. That
 * it could not be registered is written to the log, and no reason to refuse the database.
 */
final class HolderCacheBean implements HolderCacheMXBean {
    private final ClockhandCacheManager cache;
    private ObjectName registered;

    HolderCacheBean(ClockhandCacheManager cache) {
        this.cache = cache;
    }

    /** Does nothing where Derby manages nothing: without the platform's management. */
    synchronized void register(String database) {
        ManagementService management = CacheStatisticsMBean.management();
        if (management == null || registered != null) {
            return;
        }
        try {
            if (management.getSystemIdentifier() == null) {
                return;
            }
            ObjectName name = new ObjectName("io.clockhand:type=HolderCache,name=" + cache.name() + ",db="
                    + ObjectName.quote(database) + ",system=" + management.getSystemIdentifier());
            ManagementFactory.getPlatformMBeanServer().registerMBean(this, name);
            registered = name;
        } catch (JMException | RuntimeException e) {
            DerbyLog.write("Clockhand: no management bean for " + cache.name() + " of " + database + ": " + e);
        }
    }

    synchronized void deregister() {
        if (registered != null) {
            try {
                ManagementFactory.getPlatformMBeanServer().unregisterMBean(registered);
            } catch (JMException | RuntimeException e) {
                DerbyLog.write("Clockhand: cannot deregister " + registered + ": " + e);
            }
            registered = null;
        }
    }

    @Override
    public String getPolicy() {
        return cache.settings().policy();
    }

    @Override
    public String getHand() {
        return cache.settings().hand().label();
    }

    @Override
    public String getTable() {
        return cache.settings().table().label();
    }

    @Override
    public boolean isCollectAccessCounts() {
        return cache.isCollecting();
    }

    @Override
    public void setCollectAccessCounts(boolean collect) {
        cache.collect(collect);
    }

    @Override
    public int getCapacity() {
        return cache.stats().capacity();
    }

    @Override
    public int getFrames() {
        return cache.stats().frames();
    }

    @Override
    public int getResident() {
        return cache.stats().resident();
    }

    @Override
    public int getMaxResident() {
        return cache.stats().maxResident();
    }

    @Override
    public int getPinned() {
        return cache.stats().pinned();
    }

    @Override
    public long getHits() {
        return cache.stats().hits();
    }

    @Override
    public long getMisses() {
        return cache.stats().misses();
    }

    @Override
    public boolean isAdvising() {
        return cache.settings().advice().on();
    }

    @Override
    public Map<String, Double> getEstimatedHitRatios() {
        Map<String, Double> ratios = new LinkedHashMap<>();
        for (HitRatioEstimate estimate : cache.stats().estimates()) {
            ratios.put(estimate.label(), estimate.hitRatio());
        }
        return ratios;
    }

    @Override
    public void resetEstimates() {
        cache.resetEstimates();
    }

    @Override
    public long getSampledReferences() {
        return cache.stats().estimates().stream()
                .mapToLong(HitRatioEstimate::sampled)
                .max()
                .orElse(0);
    }

    @Override
    public long getEvictions() {
        return cache.stats().evictions();
    }

    @Override
    public long getFramesScanned() {
        return cache.stats().framesScanned();
    }

    @Override
    public long getDirtyVictims() {
        return cache.stats().dirtyVictims();
    }

    @Override
    public int getQueuedForCleaning() {
        return cache.stats().queued();
    }

    @Override
    public long getBackgroundCleans() {
        return cache.stats().backgroundCleans();
    }

    @Override
    public long getForegroundCleans() {
        return cache.stats().foregroundCleans();
    }
}
