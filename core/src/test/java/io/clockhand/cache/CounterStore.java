// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.cache;

import io.clockhand.cache.Counters.Step;

/** The operations common to the real cache and the published algorithm, for scenarios that drive either of them. */
interface CounterStore {
    /** {@return the value of the counter} */
    long read(int key);

    /** {@return the value after adding one} */
    long inc(int key);

    /** Keeps the counter in the cache until the end of the test. */
    void pin(int key);

    /** Drops the counter from the cache without writing it back. */
    void discard(int key);

    /** Writes everything back. */
    void flush();

    /** {@return how many counters had to leave for others} */
    long evictions();

    /** {@return the step in which a victim cannot be used any more, but is mapped still} */
    Step evicted();

    /** {@return the step in which a new frame can be found already, but has no value yet} */
    Step publishing();
}
