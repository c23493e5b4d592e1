// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.page;

import io.clockhand.NoSuchPageException;
import io.clockhand.internal.flush.DirtyPages;
import io.clockhand.internal.frame.BufferWord;
import io.clockhand.internal.frame.FrameMemory;
import io.clockhand.internal.frame.FrameState;
import io.clockhand.internal.frame.FrameStates;
import io.clockhand.internal.frame.Latches;
import io.clockhand.internal.pool.FramePool;
import io.clockhand.internal.table.PageTable;

/**
 * The invariants of a page pool that no thread uses, as stated in {@code src/docs/protocols.md}: each frame is loaded
 * or free, the table maps each loaded page to its frame and nothing else, and no frame or buffer is lost.
 */
final class PageIntegrityCheck {
    private final FramePool pool;
    private final FrameStates states;
    private final Latches latches;
    private final PageTable table;
    private final FrameMemory memory;
    private final PageSource source;
    private final DirtyPages dirty;

    PageIntegrityCheck(
            FramePool pool, Latches latches, PageTable table, FrameMemory memory, PageSource source, DirtyPages dirty) {
        this.pool = pool;
        this.states = pool.states();
        this.latches = latches;
        this.table = table;
        this.memory = memory;
        this.source = source;
        this.dirty = dirty;
    }

    void run() {
        pool.checkFreeFrames();
        int frames = pool.frames();
        int mapped = 0;
        int marked = 0;
        int withBuffer = 0;
        for (int frame = 0; frame < frames; frame++) {
            long state = states.state(frame);
            long word = states.buffer(frame);
            withBuffer += BufferWord.hasBuffer(word) ? 1 : 0;
            boolean loaded = FrameState.content(state) == FrameState.READY && !FrameState.isFree(state);
            boolean found = loaded && table.find(states.identity(frame)) == frame;
            mapped += found ? 1 : 0;
            expect(
                    !FrameState.isClaimed(state) || FrameState.isFree(state),
                    frame,
                    "is claimed, but no thread is left to end the claim");
            marked += FrameState.isDirty(state) ? 1 : 0;
            boolean needsLog = dirty.needed(frame) != DirtyPages.NONE;
            expect(FrameState.isDirty(state) == needsLog, frame, "is dirty, or has a recLSN, but not both");
            expect(!FrameState.isDirty(state) || loaded, frame, "is dirty, but not loaded");
            expect(!FrameState.isWriting(state), frame, "is being written, but no thread is left to do it");
            expect(!FrameState.isDoomed(state), frame, "is doomed, but no thread is left to free it");
            expect(loaded == BufferWord.isLoaded(word), frame, "is READY, or has a loaded buffer, but not both");
            expect(loaded != latches.isClosed(frame), frame, "is READY, or its latch is closed, but not one of both");
            expect(loaded || FrameState.isFree(state), frame, "is neither loaded nor free");
            expect(!loaded || found || isGone(frame), frame, "is not where the table leads");
        }
        if (marked != dirty.count()) {
            throw new IllegalStateException(marked + " pages are dirty, but " + dirty.count() + " are counted");
        }
        int size = table.size();
        if (size != mapped) {
            throw new IllegalStateException(size + " pages are mapped, but " + mapped + " of them are found");
        }
        int free = memory.free();
        int buffers = memory.limit();
        if (free + withBuffer != buffers) {
            throw new IllegalStateException(free + " buffers are free and " + withBuffer + " in frames, of " + buffers);
        }
    }

    /** Whether its page was truncated while it was in use, and the invalidation timed out. */
    private boolean isGone(int frame) {
        try {
            source.check(states.identity(frame));
            return false;
        } catch (NoSuchPageException e) {
            return true;
        }
    }

    private void expect(boolean holds, int frame, String fault) {
        if (!holds) {
            throw new IllegalStateException(
                    "frame " + frame + " " + fault + ": " + FrameState.toString(states.state(frame)));
        }
    }
}
