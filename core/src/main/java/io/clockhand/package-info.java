// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0

/**
 * Types that all packages of Clockhand, a buffer manager for JVM database engines, share: page ids, latch modes,
 * exceptions and waits. Pages of files are in {@code io.clockhand.page}, objects by key in {@code io.clockhand.cache},
 * replacement policies in {@code io.clockhand.policy}, stores in {@code io.clockhand.io}, logs in {@code
 * io.clockhand.wal}, and free space in {@code io.clockhand.space}.
 *
 * <p>No argument and no result is null, unless its documentation says so.
 *
 * @since 0.1.0
 */
package io.clockhand;
