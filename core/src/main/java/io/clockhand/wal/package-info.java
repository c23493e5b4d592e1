// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0

/**
 * The part of an engine's write-ahead log that the pool needs, and a log in files that an engine may use. Knows nothing
 * of pools; a log lies in page stores.
 *
 * <p>No argument and no result is null, unless its documentation says so.
 *
 * @since 0.1.0
 */
package io.clockhand.wal;
