// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.derby;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.derby.iapi.services.cache.CacheManager;
import org.apache.derby.iapi.services.cache.Cacheable;
import org.apache.derby.iapi.services.cache.CacheableFactory;
import org.apache.derby.shared.common.error.StandardException;
import org.apache.derby.shared.common.reference.SQLState;

/**
 * Objects as Derby would cache them, which notice when the cache breaks the rules: two objects for one key, an identity
 * set over another one, two calls into one object at a time. A test can replace the behaviour of each call.
 */
final class FakeObjects implements CacheableFactory {
    /** The behaviour of {@code setIdentity} or {@code createIdentity}. */
    @FunctionalInterface
    interface Loader {
        Cacheable load(FakeObject blank, Object key) throws StandardException;
    }

    /** Runs before a call does its work. */
    @FunctionalInterface
    interface Hook {
        void run(FakeObject object) throws StandardException;
    }

    volatile Loader onSet = FakeObject::carry;
    volatile Loader onCreate = FakeObject::carry;
    volatile Hook onClean = object -> {};
    volatile Hook onIsDirty = object -> {};
    volatile Hook onClear = object -> {};

    final List<CacheManager> askedBy = new ArrayList<>();
    final AtomicInteger made = new AtomicInteger();
    final AtomicInteger cleans = new AtomicInteger();
    final Queue<Object> discarded = new ConcurrentLinkedQueue<>();
    final Queue<Object> removed = new ConcurrentLinkedQueue<>();
    final Queue<String> violations = new ConcurrentLinkedQueue<>();

    private final ConcurrentMap<Object, FakeObject> live = new ConcurrentHashMap<>();

    @Override
    public synchronized Cacheable newCacheable(CacheManager manager) {
        askedBy.add(manager);
        made.incrementAndGet();
        return new FakeObject();
    }

    /** {@return the object that carries the key now, whoever keeps it; or null} */
    FakeObject live(Object key) {
        return live.get(key);
    }

    int liveCount() {
        return live.size();
    }

    static StandardException failure(String message) {
        return StandardException.newPreLocalizedException(SQLState.DATA_UNEXPECTED_EXCEPTION, null, message);
    }

    final class FakeObject implements Cacheable {
        volatile boolean dirty;
        volatile Object parameter;
        private volatile Object identity;
        private final AtomicInteger inside = new AtomicInteger();

        FakeObject carry(Object key) {
            if (identity != null) {
                violations.add("identity " + key + " set over " + identity);
            }
            FakeObject other = live.putIfAbsent(key, this);
            if (other != null) {
                violations.add("two objects for key " + key);
            }
            identity = key;
            return this;
        }

        @Override
        public Cacheable setIdentity(Object key) throws StandardException {
            enter("setIdentity");
            try {
                return onSet.load(this, key);
            } finally {
                inside.decrementAndGet();
            }
        }

        @Override
        public Cacheable createIdentity(Object key, Object createParameter) throws StandardException {
            enter("createIdentity");
            try {
                parameter = createParameter;
                return onCreate.load(this, key);
            } finally {
                inside.decrementAndGet();
            }
        }

        @Override
        public void clearIdentity() {
            enter("clearIdentity");
            try {
                onClear.run(this);
            } catch (StandardException e) {
                throw new IllegalStateException(e);
            } finally {
                inside.decrementAndGet();
                if (identity == null) {
                    violations.add("cleared without an identity");
                } else {
                    if (dirty) {
                        discarded.add(identity);
                    }
                    live.remove(identity, this);
                }
                identity = null;
                dirty = false;
            }
        }

        @Override
        public void clean(boolean remove) throws StandardException {
            enter("clean");
            try {
                if (identity == null) {
                    violations.add("cleaned without an identity");
                }
                onClean.run(this);
                cleans.incrementAndGet();
                dirty = false;
                if (remove) {
                    removed.add(identity);
                }
            } finally {
                inside.decrementAndGet();
            }
        }

        @Override
        public boolean isDirty() {
            try {
                onIsDirty.run(this);
            } catch (StandardException e) {
                throw new IllegalStateException(e);
            }
            return dirty;
        }

        @Override
        public Object getIdentity() {
            return identity;
        }

        private void enter(String call) {
            if (inside.incrementAndGet() != 1) {
                violations.add(call + " of " + identity + " during another call");
            }
        }

        @Override
        public String toString() {
            return "object with " + identity;
        }
    }
}
