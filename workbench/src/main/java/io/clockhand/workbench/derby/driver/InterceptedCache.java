// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.driver;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import org.apache.derby.iapi.services.cache.CacheFactory;
import org.apache.derby.iapi.services.cache.CacheManager;
import org.apache.derby.iapi.services.cache.CacheableFactory;

/** Puts an interceptor in front of Derby's page cache. */
public final class InterceptedCache {
    private InterceptedCache() {}

    /** A call that has not reached the cache yet. */
    public interface Call {
        Object proceed() throws Throwable;
    }

    /** Sees each call to the page cache. */
    public interface Interceptor {
        /**
         * Lets the call proceed, or does something else.
         *
         * @param method the name of a method of {@link CacheManager}
         * @return the result of the call
         */
        Object intercept(CacheManager cache, String method, Object[] arguments, Call call) throws Throwable;
    }

    /** Makes a cache as Derby asks for it, with the interceptor in front if it is the one for pages. */
    public static CacheManager of(
            CacheFactory caches,
            CacheableFactory holders,
            String name,
            int initial,
            int maximum,
            Interceptor interceptor) {
        if (!name.equals(CacheProbe.PAGE_CACHE)) {
            return caches.newCacheManager(holders, name, initial, maximum);
        }
        // Derby tells what to make by the manager that it was given.
        CacheManager[] given = new CacheManager[1];
        CacheManager cache = caches.newCacheManager(inner -> holders.newCacheable(given[0]), name, initial, maximum);
        given[0] = (CacheManager) Proxy.newProxyInstance(
                InterceptedCache.class.getClassLoader(),
                new Class<?>[] {CacheManager.class},
                (proxy, method, arguments) -> interceptor.intercept(cache, method.getName(), arguments, () -> {
                    try {
                        return method.invoke(cache, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
        return given[0];
    }
}
