// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.bpwrapper;

import io.clockhand.policy.Policies;
import io.clockhand.workbench.experiment.options.EnumNames;
import java.util.List;

/** A way to share a list policy, which is for one thread, among many. */
enum Form {
    /** A lock, taken for each hit and each miss. */
    PLAIN(0),
    /** The same, but the data that a hit will change are read before the lock is requested. */
    PREFETCH(0),
    /** Hits are queued, and the policy records a batch at a time. */
    BATCH(0),
    /** Batching and prefetching: BP-Wrapper as published. */
    BOTH(0),
    /** The library's lossy hit buffer: no hit waits, some are lost, and misses do not replay hits. */
    MODERN(64),
    /** As plain, but waiting threads spin. */
    SPIN(CountingLock.FOR_EVER);

    private static final String WRAPPED = "bp:";

    /** How often waiting threads check the lock before they park; see {@link CountingLock}. */
    final int spins;

    Form(int spins) {
        this.spins = spins;
    }

    /** The policies that can be had in every form, and to which a hit means something. */
    static List<String> policies() {
        return Policies.names().stream()
                .filter(name -> name.startsWith(WRAPPED))
                .map(name -> name.substring(WRAPPED.length()))
                .filter(name -> Policies.singleThreaded(name, 1).tracksAccesses())
                .toList();
    }

    /** Whether it has queues whose size and threshold can be chosen. */
    boolean hasQueues() {
        return this == BATCH || this == BOTH;
    }

    @Override
    public String toString() {
        return EnumNames.of(this);
    }
}
