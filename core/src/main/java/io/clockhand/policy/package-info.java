// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
/**
 * Replacement policies: which frame is evicted to make room. A policy knows frames by number only, and nothing of
 * pages, objects, tables or files.
 *
 * <p>{@link io.clockhand.policy.Policies} offers the policies by name;
 * {@link io.clockhand.policy.ReplacementPolicy} is the interface to implement for one's own.
 *
 * <p>No argument and no result is null, unless its documentation says so.
 *
 * @since 0.1.0
 */
package io.clockhand.policy;
