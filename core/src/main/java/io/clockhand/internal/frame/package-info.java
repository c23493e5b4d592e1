// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
/**
 * The atomic words of the frames, the frames that are free, and the threads that wait for one.
 *
 * <p><b>Memory order, once for all rooms.</b> A state word changes by CAS with volatile semantics and is read with
 * acquire order. Plain fields belong to the thread that owns the frame (by its claim, or by the loader's pin before the
 * content is ready) and are published by the CAS that ends the ownership; the reader's pin, or its acquire load of the
 * state, pairs with that CAS. A page is published to readers without a pin by the opening of its latch ({@link
 * io.clockhand.internal.frame.Latches}), before that.
 */
package io.clockhand.internal.frame;
