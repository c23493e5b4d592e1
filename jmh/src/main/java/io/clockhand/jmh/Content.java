// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jmh;

import org.apache.derby.iapi.services.cache.Cacheable;

/** An object of Derby's caches that is loaded by setting its key, and never dirty. */
final class Content implements Cacheable {
    private Object key;

    @Override
    public Cacheable setIdentity(Object key) {
        this.key = key;
        return this;
    }

    @Override
    public Cacheable createIdentity(Object key, Object createParameter) {
        return setIdentity(key);
    }

    @Override
    public void clearIdentity() {
        key = null;
    }

    @Override
    public Object getIdentity() {
        return key;
    }

    @Override
    public boolean isDirty() {
        return false;
    }

    @Override
    public void clean(boolean forRemove) {
        // never dirty
    }
}
