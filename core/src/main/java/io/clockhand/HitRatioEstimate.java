// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand;

/**
 * The hit ratio that a pool or a cache would have had at another size or with another policy, since it was built or its
 * estimates were reset; estimated from the references of a sample of its pages or keys. Both make estimates if {@code
 * advises(true)} is among their {@code tuning}.
 *
 * @param sizeFactor the size, by that of the pool or the cache: 0.25 to 4
 * @param policy the name of the policy
 * @param hitRatio from 0 to 1; NaN if nothing was sampled, or the policy has failed
 * @param sampled the references on which the estimate rests
 */
public record HitRatioEstimate(double sizeFactor, String policy, double hitRatio, long sampled) {

    /** {@return the name of the policy and the size, as in {@code lirs at 0.5}} */
    public String label() {
        return policy + " at " + sizeFactor;
    }
}
