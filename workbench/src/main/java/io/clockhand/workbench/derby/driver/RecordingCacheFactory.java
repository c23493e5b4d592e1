// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.driver;

import io.clockhand.derby.ClockhandCacheFactory;
import io.clockhand.workbench.derby.driver.InterceptedCache.Call;
import org.apache.derby.iapi.services.cache.CacheFactory;
import org.apache.derby.iapi.services.cache.CacheManager;
import org.apache.derby.iapi.services.cache.CacheableFactory;
import org.apache.derby.iapi.services.property.PropertyUtil;
import org.apache.derby.impl.services.cache.ConcurrentCacheFactory;

/**
 * Makes Clockhand's caches for Derby, or Derby's own, with an interceptor of the page cache that records references.
 * Used only by runs that are recorded, so it costs others nothing.
 */
public final class RecordingCacheFactory implements CacheFactory {
    /** Null while nothing is recorded. */
    private static volatile PageRecorder recorder;

    private static volatile boolean inForce;

    private final CacheFactory caches;

    /** Called by Derby. */
    public RecordingCacheFactory() {
        caches = PropertyUtil.getSystemProperty("clockhand.derby.policy") == null
                ? new ConcurrentCacheFactory()
                : new ClockhandCacheFactory();
    }

    /**
     * Records from now on.
     *
     * @param newRecorder null for none any more
     * @throws IllegalStateException if Derby has not made its page cache here
     */
    public static void record(PageRecorder newRecorder) {
        if (!inForce) {
            throw new IllegalStateException(
                    "the run cannot be recorded: Derby fell back to its own cache; its log says why");
        }
        recorder = newRecorder;
    }

    @Override
    public CacheManager newCacheManager(CacheableFactory holders, String name, int initialSize, int maximumSize) {
        inForce = inForce || name.equals(CacheProbe.PAGE_CACHE);
        return InterceptedCache.of(caches, holders, name, initialSize, maximumSize, RecordingCacheFactory::recorded);
    }

    private static Object recorded(CacheManager cache, String method, Object[] arguments, Call call) throws Throwable {
        PageRecorder current = recorder;
        if (current == null) {
            return call.proceed();
        }
        if (method.equals("release")) {
            current.onRelease(arguments[0]); // before the release, since afterwards another page may take its place
        }
        Object result = call.proceed();
        switch (method) {
            case "find", "findCached" -> current.onFound(result);
            case "create" -> current.onCreated(result);
            default -> {}
        }
        return result;
    }
}
