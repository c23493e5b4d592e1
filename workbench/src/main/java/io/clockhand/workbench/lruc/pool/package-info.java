// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
/** The pools that the command {@code lru-c} compares: a list under a mutex in several schemes, and Clockhand's own. */
package io.clockhand.workbench.lruc.pool;
