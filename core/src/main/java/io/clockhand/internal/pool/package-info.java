// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
/**
 * The engine: pins, victims, the write-back queue and the one copy of the miss protocol, in frame numbers. Knows the
 * policy and the frames; pages and holders stand on it.
 *
 * <p>A thread waits for others by {@link io.clockhand.internal.pool.BoundedWait}. Undo after a failure has the form
 * that {@link io.clockhand.internal.frame} describes.
 */
package io.clockhand.internal.pool;
