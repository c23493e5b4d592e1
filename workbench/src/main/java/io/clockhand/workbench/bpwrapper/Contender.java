// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.bpwrapper;

import io.clockhand.policy.Batching;
import io.clockhand.policy.Policies;
import io.clockhand.policy.ReplacementPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A form, with its queues if it has any to choose.
 *
 * @param queueSize null if the form has none to choose
 * @param threshold null as well
 */
record Contender(Form form, Integer queueSize, Integer threshold) {
    /** The threshold that is half of each queue, but one of a queue of one hit. */
    static final String HALF = "half";

    /** Every form; those with queues with every size and every threshold, which is a number or {@link #HALF}. */
    static List<Contender> all(List<Form> forms, List<Integer> queueSizes, List<String> thresholds) {
        List<Contender> all = new ArrayList<>();
        for (Form form : forms) {
            if (!form.hasQueues()) {
                all.add(new Contender(form, null, null));
                continue;
            }
            for (int size : queueSizes) {
                thresholds.stream()
                        .map(typed -> typed.equals(HALF) ? Math.max(1, size / 2) : Integer.parseInt(typed))
                        .distinct()
                        .forEach(threshold -> all.add(new Contender(form, size, threshold)));
            }
        }
        return all;
    }

    /** The policy as it is used, under the lock that it has in production. */
    ReplacementPolicy make(String policy, int frames) {
        return switch (form) {
            case MODERN -> Policies.create("buffered:" + policy, frames);
            case SPIN -> Policies.create("spin:" + policy, frames);
            case PLAIN, PREFETCH, BATCH, BOTH ->
                under(new ReentrantLock(), Policies.singleThreaded(policy, frames), frames);
        };
    }

    /** A policy for one thread, made one for many by a lock. */
    ReplacementPolicy under(Lock lock, ReplacementPolicy single, int frames) {
        return switch (form) {
            case PLAIN, SPIN -> Policies.locked(single, lock);
            case PREFETCH -> Policies.batched(single, lock, frames, new Batching(1, 1, true));
            case BATCH -> Policies.batched(single, lock, frames, new Batching(queueSize, threshold, false));
            case BOTH -> Policies.batched(single, lock, frames, new Batching(queueSize, threshold, true));
            case MODERN -> Policies.buffered(single, lock, frames);
        };
    }

    @Override
    public String toString() {
        return form + (queueSize == null ? "" : ", queue size " + queueSize + ", threshold " + threshold);
    }
}
