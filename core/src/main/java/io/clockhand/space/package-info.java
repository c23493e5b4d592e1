// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
/**
 * A map of the free space in the data pages of an engine, which many threads update at the same time.
 *
 * <p>No argument and no result is null, unless its documentation says so.
 *
 * @since 0.1.0
 */
package io.clockhand.space;
