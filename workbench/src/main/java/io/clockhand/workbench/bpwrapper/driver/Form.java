// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.bpwrapper.driver;

import io.clockhand.policy.Batching;
import io.clockhand.policy.Policies;
import io.clockhand.policy.ReplacementPolicy;
import io.clockhand.workbench.experiment.options.EnumNames;
import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/** A way to share a list policy, which is for one thread, among many. */
public enum Form {
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

    /** How waiting threads behave; see {@link CountingLock}. */
    private final int spins;

    Form(int spins) {
        this.spins = spins;
    }

    /** The policies that can be had in every form, and to which a hit means something. */
    public static List<String> policies() {
        return Policies.names().stream()
                .filter(name -> name.startsWith(WRAPPED))
                .map(name -> name.substring(WRAPPED.length()))
                .filter(name -> Policies.singleThreaded(name, 1).tracksAccesses())
                .toList();
    }

    /** Whether it has queues whose size and threshold can be chosen. */
    public boolean hasQueues() {
        return this == BATCH || this == BOTH;
    }

    /** The policy as it is used, under the lock that it has in production. */
    ReplacementPolicy make(String policy, int frames, int queueSize, int threshold) {
        return switch (this) {
            case MODERN -> Policies.create("buffered:" + policy, frames);
            case SPIN -> Policies.create("spin:" + policy, frames);
            case PLAIN, PREFETCH, BATCH, BOTH ->
                under(new ReentrantLock(), Policies.singleThreaded(policy, frames), frames, queueSize, threshold);
        };
    }

    /** A lock that counts, at which threads wait as they do at the one in production. */
    CountingLock newCountingLock() {
        return new CountingLock(spins);
    }

    /** A policy for one thread, made one for many by a lock. */
    ReplacementPolicy under(Lock lock, ReplacementPolicy single, int frames, int queueSize, int threshold) {
        return switch (this) {
            case PLAIN, SPIN -> Policies.locked(single, lock);
            case PREFETCH -> Policies.batched(single, lock, frames, new Batching(1, 1, true));
            case BATCH -> Policies.batched(single, lock, frames, new Batching(queueSize, threshold, false));
            case BOTH -> Policies.batched(single, lock, frames, new Batching(queueSize, threshold, true));
            case MODERN -> Policies.buffered(single, lock, frames);
        };
    }

    @Override
    public String toString() {
        return EnumNames.of(this);
    }
}
