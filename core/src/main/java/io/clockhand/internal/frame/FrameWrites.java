// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.frame;

import static io.clockhand.internal.frame.FrameState.CLAIMED;
import static io.clockhand.internal.frame.FrameState.CONTENT;
import static io.clockhand.internal.frame.FrameState.CONTENT_FAILED;
import static io.clockhand.internal.frame.FrameState.CONTENT_READY;
import static io.clockhand.internal.frame.FrameState.DIRTY;
import static io.clockhand.internal.frame.FrameState.DOOMED;
import static io.clockhand.internal.frame.FrameState.FREE;
import static io.clockhand.internal.frame.FrameState.PINS;
import static io.clockhand.internal.frame.FrameState.QUEUED;
import static io.clockhand.internal.frame.FrameState.UNMAPPED;
import static io.clockhand.internal.frame.FrameState.WAITED;
import static io.clockhand.internal.frame.FrameState.WRITING;

/**
 * Writing the contents of frames back, of holders and pages; and the dirty mark of pages.
 *
 * <p>Only a holder knows whether it is dirty. A page is dirty if its frame has the mark:
 *
 * <table>
 * <caption>The marks of a page</caption>
 * <tr><th>dirty</th><th>writing</th><th>the page is</th><th>left by</th></tr>
 * <tr><td>no</td><td>no</td><td>clean: may be claimed</td><td>{@link #markDirty}</td></tr>
 * <tr><td>yes</td><td>no</td><td>dirty</td><td>{@link #tryPinToWrite}</td></tr>
 * <tr><td>yes</td><td>yes</td><td>about to be copied; or being written, and dirty again since the copy</td>
 * <td>{@link #clearDirty} by the thread that copies it; {@link #endWriting}</td></tr>
 * <tr><td>no</td><td>yes</td><td>being written, from a copy</td><td>{@link #endWriting}; {@link #markDirty} by the next
 * update, or if the write has failed</td></tr>
 * </table>
 *
 * <p><b>Memory order.</b> All changes are CAS, and fences therefore. The dirty mark is set and cleared by a thread that
 * has the latch, so that it says exactly which changes the copy has: an update sets it in exclusive mode, before it
 * changes a byte (a creation sets it before other threads find the page), and the writing thread clears it under a
 * share, before it copies the bytes. An update of a row sets it under a share; then the writing thread clears it in
 * exclusive mode. The mark of a page that
 * is written is set and cleared with a pin, so a frame that is being written, or that is dirty, is never claimed as a
 * victim: the CAS of a claim compares pins and dirty mark at once. Under a share, the mark may be set between the two
 * steps of a claim, which then fails: it cannot close the latch, or sees the mark after it has closed it.
 */
abstract class FrameWrites extends FrameClaims {
    FrameWrites(int frames, boolean pages) {
        super(frames, pages);
    }

    // --- invalidated pages -------------------------------------------------------------------------------------------

    /**
     * Marks a page as unmapped: a thread that looks into its row from now on does not find it there.
     *
     * @param frame a frame that the caller has pinned
     */
    public final void markUnmapped(int frame) {
        long s;
        do {
            s = state(frame);
            expect((s & PINS) != 0, frame, s, "marked as unmapped");
        } while (!cas(frame, s, s | UNMAPPED));
    }

    // --- dirty pages -------------------------------------------------------------------------------------------------

    /**
     * Marks a page as dirty. Stores nothing if it is already.
     *
     * @param frame a frame that the caller has pinned and latched exclusively; or has pinned, to create its page, and
     *     not published; or in whose latch it has a share, to update rows of its page; or that it is writing, after the
     *     write has failed
     * @return whether the page was not marked before
     */
    public final boolean markDirty(int frame) {
        for (; ; ) {
            long s = state(frame);
            if ((s & DIRTY) != 0) {
                return false;
            }
            expect(
                    ((s & (PINS | WRITING)) != 0 || sharers(frame) > 0) && (s & CONTENT) != CONTENT_FAILED,
                    frame,
                    s,
                    "marked as dirty");
            if (cas(frame, s, s | DIRTY)) {
                return true;
            }
        }
    }

    /**
     * Pins a dirty page and marks it as being written, unless another thread writes it.
     *
     * @param frame any frame
     * @return whether the caller writes it now: {@link #endWriting} and an unpin must follow
     */
    public final boolean tryPinToWrite(int frame) {
        for (; ; ) {
            long s = state(frame);
            if ((s & (CLAIMED | DOOMED | WRITING | DIRTY | CONTENT)) != (DIRTY | CONTENT_READY) || (s & PINS) == PINS) {
                return false;
            }
            if (cas(frame, s, (s + 1) | WRITING)) {
                return true;
            }
        }
    }

    /**
     * Takes the dirty mark off a page: of what is marked later, the copy that the caller is about to make has nothing;
     * or the page does not exist any more.
     *
     * @param frame a frame that the caller is writing, and has latched; or has claimed
     * @return whether it was marked
     */
    public final boolean clearDirty(int frame) {
        for (; ; ) {
            long s = state(frame);
            expect((s & WRITING) != 0 || (s & (CLAIMED | FREE)) == CLAIMED, frame, s, "marked as clean");
            if ((s & DIRTY) == 0) {
                return false;
            }
            if (cas(frame, s, s & ~DIRTY)) {
                return true;
            }
        }
    }

    // --- write-back --------------------------------------------------------------------------------------------------

    /**
     * Marks the frame as being written back.
     *
     * @param frame a frame that the caller has pinned or claimed
     * @return false if another thread is writing it back already
     */
    public final boolean tryBeginWriting(int frame) {
        for (; ; ) {
            long s = state(frame);
            expect((s & (PINS | CLAIMED)) != 0 && (s & FREE) == 0, frame, s, "written back");
            if ((s & WRITING) != 0) {
                return false;
            }
            if (cas(frame, s, s | WRITING)) {
                return true;
            }
        }
    }

    /**
     * Marks a claimed frame as being written back or cleared. Unlike {@link #tryBeginWriting} it is something to wait
     * for: a claim without the mark is short, see {@link FrameState#isDirtyCheck}.
     *
     * @param frame a frame that the caller has claimed
     * @return the state before
     */
    public final long beginOwnedWriting(int frame) {
        for (; ; ) {
            long s = state(frame);
            expectClaimed(frame, s);
            if (cas(frame, s, (s | WRITING) & ~WAITED)) {
                return s;
            }
        }
    }

    /**
     * Ends what {@link #tryBeginWriting} or {@link #beginOwnedWriting} began; the frame is no longer queued for
     * write-back either.
     *
     * @param frame a frame that the caller is writing back
     * @return the state before
     */
    public final long endWriting(int frame) {
        for (; ; ) {
            long s = state(frame);
            expect((s & WRITING) != 0, frame, s, "finished writing back");
            if (cas(frame, s, s & ~(WRITING | QUEUED | WAITED))) {
                return s;
            }
        }
    }
}
