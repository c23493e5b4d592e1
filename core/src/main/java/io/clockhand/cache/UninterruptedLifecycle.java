// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.cache;

import io.clockhand.internal.pool.EngineCalls;

/**
 * The lifecycle of the engine, called with a clear interrupt flag: see {@link EngineCalls}. {@link #keyOf} and
 * {@link #idOf} are passed on as they are, since a hit calls them.
 */
final class UninterruptedLifecycle<K, V, X extends Exception> implements HolderLifecycle<K, V, X> {
    private final HolderLifecycle<K, V, X> lifecycle;

    UninterruptedLifecycle(HolderLifecycle<K, V, X> lifecycle) {
        this.lifecycle = lifecycle;
    }

    @Override
    public K keyOf(V holder) {
        return lifecycle.keyOf(holder);
    }

    @Override
    public long idOf(K key) {
        return lifecycle.idOf(key);
    }

    @Override
    public V allocate() {
        boolean interrupted = EngineCalls.begin();
        try {
            return lifecycle.allocate();
        } finally {
            EngineCalls.end(interrupted);
        }
    }

    @Override
    public V load(V holder, K key) throws X {
        boolean interrupted = EngineCalls.begin();
        try {
            return lifecycle.load(holder, key);
        } finally {
            EngineCalls.end(interrupted);
        }
    }

    @Override
    public V create(V holder, K key, Object parameter) throws X {
        boolean interrupted = EngineCalls.begin();
        try {
            return lifecycle.create(holder, key, parameter);
        } finally {
            EngineCalls.end(interrupted);
        }
    }

    @Override
    public boolean isDirty(V holder) {
        boolean interrupted = EngineCalls.begin();
        try {
            return lifecycle.isDirty(holder);
        } finally {
            EngineCalls.end(interrupted);
        }
    }

    @Override
    public void clean(V holder, boolean removing) throws X {
        boolean interrupted = EngineCalls.begin();
        try {
            lifecycle.clean(holder, removing);
        } finally {
            EngineCalls.end(interrupted);
        }
    }

    @Override
    public boolean mayCleanHere() {
        boolean interrupted = EngineCalls.begin();
        try {
            return lifecycle.mayCleanHere();
        } finally {
            EngineCalls.end(interrupted);
        }
    }

    @Override
    public void clear(V holder) {
        boolean interrupted = EngineCalls.begin();
        try {
            lifecycle.clear(holder);
        } finally {
            EngineCalls.end(interrupted);
        }
    }
}
