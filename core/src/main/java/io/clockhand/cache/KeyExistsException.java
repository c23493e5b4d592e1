// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.cache;

/** {@link HolderCache#create} found that the key is in the cache, or is being loaded by another thread. */
public final class KeyExistsException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * Makes the exception, without a stack trace: some engines expect it as a normal answer.
     *
     * @param key the key
     */
    public KeyExistsException(Object key) {
        super("there is an object with key " + key + " already", null, false, false);
    }
}
