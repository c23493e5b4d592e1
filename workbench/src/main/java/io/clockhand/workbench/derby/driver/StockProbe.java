// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.driver;

import io.clockhand.workbench.report.Estimated;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Set;
import javax.management.Attribute;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/** Derby's own cache, seen through its MBean; only {@link #countHits} makes it slower. */
final class StockProbe implements CacheProbe {
    private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    private final ObjectName cache;
    private int maxResidentPages;

    StockProbe() throws JMException {
        Set<ObjectName> found =
                server.queryNames(new ObjectName("org.apache.derby:type=CacheManager,name=" + PAGE_CACHE + ",*"), null);
        if (found.size() != 1) {
            throw new IllegalStateException("Derby shows " + found.size() + " page caches instead of one");
        }
        cache = found.iterator().next();
    }

    @Override
    public int poolPages() throws JMException {
        return (int) number("MaxEntries");
    }

    @Override
    public void resetEstimates() {
        // it makes none
    }

    @Override
    public List<Estimated> estimates() {
        return List.of();
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
