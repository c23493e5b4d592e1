// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc.pool;

import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * The state of each frame in one word: its pins, in the lower half, and its marks. Thread-safe.
 *
 * <ul>
 *   <li><i>Dirty</i>: the page was changed since a copy of it was taken to be written. Set under the exclusive latch,
 *       cleared under a share of it.
 *   <li><i>Writing</i>: an image of the page is on its way to the store. So there is never a second one, and the frame
 *       is not reused before it is there.
 *   <li><i>Marked</i>: the page is written to free its frame, and was not used since that was decided.
 *   <li><i>Failed</i>: the page could not be read, and is not mapped any more. The last thread to unpin it frees it.
 *   <li><i>Free</i>: there is no page.
 * </ul>
 */
final class FrameWords {
    private static final int DIRTY = 1 << 16;
    private static final int WRITING = 1 << 17;
    private static final int MARKED = 1 << 18;
    private static final int FAILED = 1 << 19;
    private static final int FREE = 1 << 20;

    private final AtomicIntegerArray words;

    FrameWords(int frames) {
        words = new AtomicIntegerArray(frames);
        for (int frame = 0; frame < frames; frame++) {
            words.setPlain(frame, FREE);
        }
    }

    /** A free frame gets a page and its first pin. */
    void occupy(int frame, boolean writing) {
        words.set(frame, writing ? WRITING | 1 : 1);
    }

    /** Under the lock of its page, which is mapped. */
    void pin(int frame) {
        words.getAndIncrement(frame);
    }

    /** {@return whether this was the last pin of a page that could not be read: the frame is free now} */
    boolean unpin(int frame) {
        return words.decrementAndGet(frame) == FAILED && words.compareAndSet(frame, FAILED, FREE);
    }

    void markFailed(int frame) {
        set(frame, FAILED);
    }

    boolean isFailed(int frame) {
        return (words.get(frame) & FAILED) != 0;
    }

    void markDirty(int frame) {
        if (!isDirty(frame)) {
            set(frame, DIRTY);
        }
    }

    boolean isDirty(int frame) {
        return (words.get(frame) & DIRTY) != 0;
    }

    /** Of a page that was used. */
    void unmark(int frame) {
        if ((words.get(frame) & MARKED) != 0) {
            clear(frame, MARKED);
        }
    }

    // --- evictions: under the lock of the page -----------------------------------------------------------------------

    /** Whether nobody uses the page and the stored one is equal. */
    boolean isIdleClean(int frame) {
        return (words.get(frame) & ~MARKED) == 0;
    }

    boolean tryFreeClean(int frame) {
        int word = words.get(frame);
        return (word & ~MARKED) == 0 && words.compareAndSet(frame, word, FREE);
    }

    /** Only if it was not used since it was marked. */
    boolean tryFreeMarked(int frame) {
        return words.compareAndSet(frame, MARKED, FREE);
    }

    /** Of a page whose image is in the temporary write buffer, or was copied there under the same lock. */
    boolean tryFreeDirty(int frame) {
        int word = words.get(frame);
        return (word & ~MARKED) == DIRTY && words.compareAndSet(frame, word, FREE);
    }

    // --- writes ------------------------------------------------------------------------------------------------------

    boolean isIdleDirty(int frame) {
        return (words.get(frame) & ~MARKED) == DIRTY;
    }

    /** {@return whether the caller is to write the page} Not if it is clean, in use, or being written. */
    boolean tryBeginWrite(int frame) {
        int word = words.get(frame);
        return (word & ~MARKED) == DIRTY && words.compareAndSet(frame, word, DIRTY | WRITING | MARKED);
    }

    /** A copy is taken: later changes make it dirty again. */
    void beginCopy(int frame) {
        clear(frame, DIRTY);
    }

    /** A page that could not be written is dirty still. */
    void endWrite(int frame, boolean written) {
        if (written) {
            clear(frame, WRITING);
        } else {
            words.getAndUpdate(frame, word -> (word | DIRTY) & ~WRITING);
        }
    }

    private void set(int frame, int bits) {
        words.getAndAccumulate(frame, bits, (word, more) -> word | more);
    }

    private void clear(int frame, int bits) {
        words.getAndAccumulate(frame, bits, (word, less) -> word & ~less);
    }
}
