// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0

/** The part of an engine's write-ahead log that the pool needs. Knows nothing of pages. */
package io.clockhand.wal;
