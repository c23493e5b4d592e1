// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import io.clockhand.internal.advice.Advice;
import io.clockhand.policy.Policies;
import io.clockhand.policy.ReplacementPolicy;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/** Makes the estimates of a pool: of its own policy, and of those that its settings name. */
final class PoolAdvice {
    private PoolAdvice() {}

    /**
     * Creates what estimates the hit ratios of a pool.
     *
     * @param policy the name of its policy
     * @param maker makes its policy; null for the one of that name
     * @param others names of other policies
     */
    static Advice create(int frames, String policy, IntFunction<ReplacementPolicy> maker, List<String> others) {
        Map<String, IntFunction<ReplacementPolicy>> policies = new LinkedHashMap<>();
        policies.put(policy, maker == null ? count -> singleThreaded(policy, count) : maker);
        for (String other : others) {
            policies.putIfAbsent(other, count -> singleThreaded(other, count));
        }
        return new Advice(frames, policies);
    }

    /** {@return a policy for one thread at a time: without the lock or the buffers that its name may ask for} */
    private static ReplacementPolicy singleThreaded(String name, int frames) {
        String plain = name.substring(name.indexOf(':') + 1);
        try {
            return Policies.singleThreaded(plain, frames);
        } catch (IllegalArgumentException e) {
            return Policies.create(plain, frames); // it needs no lock
        }
    }

    /** {@return the estimates so far; empty if there are none} */
    static List<HitRatioEstimate> estimates(Advice advice) {
        return advice == null
                ? List.of()
                : advice.estimates().stream()
                        .map(estimate -> new HitRatioEstimate(
                                estimate.sizeFactor(), estimate.policy(), estimate.hitRatio(), estimate.sampled()))
                        .toList();
    }
}
