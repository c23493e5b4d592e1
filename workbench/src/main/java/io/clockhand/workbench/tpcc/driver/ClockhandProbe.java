// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.tpcc.driver;

import java.lang.reflect.InvocationTargetException;
import java.util.List;

/** Clockhand's cache, seen through the static queries of its adapter. */
final class ClockhandProbe implements CacheProbe {
    private static final String QUERIES = "io.clockhand.derby.ClockhandDerby";

    ClockhandProbe(String policy) throws ReflectiveOperationException {
        String inForce = (String) pageCache("policy");
        if (!inForce.equals(policy)) {
            throw new IllegalStateException("policy " + policy + " was asked for, but " + inForce + " is in force");
        }
    }

    static boolean isInForce() throws ReflectiveOperationException {
        try {
            return (boolean) Class.forName(QUERIES).getMethod("inForce").invoke(null);
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    @Override
    public void countHits() throws ReflectiveOperationException {
        Class.forName(QUERIES).getMethod("collectCounts", boolean.class).invoke(null, true);
    }

    @Override
    public Counts counts() throws ReflectiveOperationException {
        return new Counts((long) pageCache("hits"), (long) pageCache("misses"));
    }

    @Override
    public int maxResidentPages() throws ReflectiveOperationException {
        return (int) pageCache("maxResident");
    }

    private static Object pageCache(String component) throws ReflectiveOperationException {
        List<?> caches;
        try {
            caches = (List<?>) Class.forName(QUERIES).getMethod("caches").invoke(null);
        } catch (InvocationTargetException e) {
            throw new IllegalStateException("Clockhand's adapter does not say what it holds", e.getCause());
        }
        for (Object status : caches) {
            if (PAGE_CACHE.equals(status.getClass().getMethod("cache").invoke(status))) {
                return status.getClass().getMethod(component).invoke(status);
            }
        }
        throw new IllegalStateException("Clockhand's adapter holds no page cache");
    }
}
