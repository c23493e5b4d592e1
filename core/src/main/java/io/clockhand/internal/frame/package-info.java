// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
/**
 * The atomic words of the frames, the memory of the pages, the free frames, and the threads that wait for a frame.
 *
 * <p><b>Memory order.</b> A state word changes by CAS with volatile semantics and is read with acquire order. Plain
 * fields belong to the thread that owns the frame (by its claim, or by the loader's pin before the content is ready).
 * The CAS that ends the ownership publishes them; the reader's pin, or its acquire load of the state, pairs with that
 * CAS. A page is published to readers without a pin by the opening of its latch ({@link
 * io.clockhand.internal.frame.Latches}), which comes before.
 *
 * <p><b>Undo after a failure</b> has two forms here and in the packages that stand on this one. Where the undo follows
 * a "no" as well as a failure, a flag says whether the step has succeeded, and {@code finally} undoes it unless it has.
 * Else the undo stands in a {@code catch} of what the step may throw, and throws it on. Code
 * that runs after a shared word has changed allocates nothing and cannot throw, unless it is the host's; then nothing
 * is left to do after it, or it stands in such a form.
 */
package io.clockhand.internal.frame;
