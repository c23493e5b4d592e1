// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
/**
 * Tables built on JCTools' non-blocking maps, the tables of the Nb-GCLOCK paper. JCTools is an optional dependency,
 * so no class outside this package links to one inside: {@link io.clockhand.internal.table.NonBlockingTables} loads
 * them by name.
 */
package io.clockhand.internal.jctools;
