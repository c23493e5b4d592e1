// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
/**
 * Where pages lie when they are not in memory. Knows page numbers and bytes, and nothing of frames or policies.
 *
 * <p>No argument and no result is null, unless its documentation says so.
 *
 * @since 0.1.0
 */
package io.clockhand.io;
