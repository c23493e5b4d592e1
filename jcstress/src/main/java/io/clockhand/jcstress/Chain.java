// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

/** One chain of a table, as the tests see it: core's, or the copy of it. */
interface Chain {

    /** Puts a key, which is not there, in front. */
    void insert(int key);

    /** {@return whether the key was there and this call has removed it} */
    boolean remove(int key);

    /** {@return whether the key is found} */
    boolean contains(int key);
}
