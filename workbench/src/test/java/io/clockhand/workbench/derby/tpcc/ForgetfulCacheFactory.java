// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.tpcc;

import io.clockhand.derby.ClockhandCacheFactory;
import io.clockhand.workbench.derby.driver.InterceptedCache;
import io.clockhand.workbench.derby.driver.InterceptedCache.Call;
import org.apache.derby.iapi.services.cache.CacheFactory;
import org.apache.derby.iapi.services.cache.CacheManager;
import org.apache.derby.iapi.services.cache.CacheableFactory;

/** The broken twin: a checkpoint leaves one page in ten unwritten, and recovery begins too late in the log for it. */
public final class ForgetfulCacheFactory implements CacheFactory {

    /** Called by Derby. */
    public ForgetfulCacheFactory() {}

    @Override
    public CacheManager newCacheManager(CacheableFactory holders, String name, int initialSize, int maximumSize) {
        return InterceptedCache.of(
                new ClockhandCacheFactory(), holders, name, initialSize, maximumSize, ForgetfulCacheFactory::forget);
    }

    private static Object forget(CacheManager cache, String method, Object[] arguments, Call call) throws Throwable {
        if (!method.equals("cleanAll")) {
            return call.proceed();
        }
        cache.clean(key -> Integer.remainderUnsigned((key.hashCode() * 0x9E3779B9) >>> 8, 10) != 0);
        return null;
    }
}
