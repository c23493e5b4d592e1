// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
/** Lookup tables: from page ids to frame numbers, and from keys to entries. They depend on no other package. */
package io.clockhand.internal.table;
