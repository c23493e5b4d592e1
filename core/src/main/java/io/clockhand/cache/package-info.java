// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
/**
 * The object cache: holders by key, for engines with page, file or statement objects of their own.
 *
 * <p>No argument and no result is null, unless its documentation says so.
 *
 * @since 0.1.0
 */
package io.clockhand.cache;
