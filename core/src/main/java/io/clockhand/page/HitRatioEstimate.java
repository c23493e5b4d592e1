// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

/**
 * The hit ratio that a {@link BufferPool} would have had at another size or with another policy, since it was built;
 * estimated from the references of a sample of its pages. See {@link PoolTuning#advises}.
 *
 * @param sizeFactor the size, by that of the pool: 0.25 to 4
 * @param policy the name of the policy
 * @param hitRatio from 0 to 1; NaN if nothing was sampled, or the policy has failed
 * @param sampled the references on which the estimate rests
 */
public record HitRatioEstimate(double sizeFactor, String policy, double hitRatio, long sampled) {}
