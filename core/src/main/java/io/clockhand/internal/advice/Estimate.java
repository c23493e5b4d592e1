// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.advice;

/**
 * The estimated hit ratio of a cache of another size or with another policy.
 *
 * @param sizeFactor its size, by that of the cache that is observed
 * @param policy the name of the policy
 * @param hitRatio from 0 to 1; NaN if nothing was sampled, or the policy has failed
 * @param sampled the references on which the estimate rests
 */
public record Estimate(double sizeFactor, String policy, double hitRatio, long sampled) {}
