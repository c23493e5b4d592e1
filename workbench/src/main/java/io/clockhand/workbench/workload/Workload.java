// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.workload;

/**
 * One fixed sequence of references to keys, which are numbers from 0; the player decides on which pages they lie.
 *
 * <p>Of T threads, thread t takes the references n with n mod T = t, in their order. Immutable.
 */
public interface Workload {

    /** The number of keys. */
    int keys();

    /** The number of references after which it begins anew; 0 if it never does. */
    long length();

    /** Every {@code step}-th reference, beginning with number {@code first}. */
    References references(long first, int step);

    /** Goes on for ever. Not thread-safe. */
    interface References {
        /** The key of the next reference; or its complement, {@code ~key}, which is negative, if it is a write. */
        int next();
    }
}
