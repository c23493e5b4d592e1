// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0

/**
 * Clockhand as the cache of Apache Derby: {@link io.clockhand.derby.ClockhandCacheFactory} plugs it in,
 * {@link io.clockhand.derby.ClockhandDerby} tells that it is in force.
 *
 * <p>No argument and no result is null, unless its documentation says so.
 *
 * @since 0.1.0
 */
package io.clockhand.derby;
