// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0

/**
 * Pages of files by id: the pool, its files, guards and optimistic readers.
 *
 * <p>No argument and no result is null, unless its documentation says so.
 *
 * @since 0.1.0
 */
package io.clockhand.page;
