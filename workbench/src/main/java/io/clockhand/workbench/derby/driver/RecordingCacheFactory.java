// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.driver;

import io.clockhand.derby.ClockhandCacheFactory;
import org.apache.derby.iapi.services.cache.CacheFactory;
import org.apache.derby.iapi.services.cache.CacheManager;
import org.apache.derby.iapi.services.cache.Cacheable;
import org.apache.derby.iapi.services.cache.CacheableFactory;
import org.apache.derby.iapi.services.property.PropertyUtil;
import org.apache.derby.impl.services.cache.ConcurrentCacheFactory;
import org.apache.derby.shared.common.error.StandardException;

/**
 * Makes Clockhand's caches for Derby, or Derby's own, with a layer in front of the page cache that records references.
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
        return ForwardingCache.of(caches, holders, name, initialSize, maximumSize, target -> {
            inForce = true;
            return new Recording(target);
        });
    }

    /** The page cache, whose references are recorded. */
    private static final class Recording extends ForwardingCache {
        Recording(CacheManager target) {
            super(target);
        }

        @Override
        public Cacheable find(Object key) throws StandardException {
            return found(super.find(key));
        }

        @Override
        public Cacheable findCached(Object key) throws StandardException {
            return found(super.findCached(key));
        }

        private static Cacheable found(Cacheable item) {
            PageRecorder current = recorder;
            if (current != null) {
                current.onFound(item);
            }
            return item;
        }

        @Override
        public Cacheable create(Object key, Object createParameter) throws StandardException {
            Cacheable item = super.create(key, createParameter);
            PageRecorder current = recorder;
            if (current != null) {
                current.onCreated(item);
            }
            return item;
        }

        /** Before the release, since afterwards another page may take the place of this one. */
        @Override
        public void release(Cacheable entry) {
            PageRecorder current = recorder;
            if (current != null) {
                current.onRelease(entry);
            }
            super.release(entry);
        }
    }
}
