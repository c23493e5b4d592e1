// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.cache;

import io.clockhand.internal.frame.FrameState;
import io.clockhand.internal.pool.FramePool;
import io.clockhand.internal.table.NodeTable;

/** The invariants of a quiet cache, as stated in {@code src/docs/protocols.md}. */
final class IntegrityCheck {
    private IntegrityCheck() {}

    @SuppressWarnings("ReferenceEquality") // the very holder
    static <K, V, X extends Exception> void check(FramePool pool, HolderContents<K, V, X> contents) {
        NodeTable<K, Entry<K, V>> table = contents.table;
        int mapped = 0;
        for (int frame = 0; frame < pool.frames(); frame++) {
            long state = pool.state(frame);
            Entry<K, V> entry = contents.bindings.get(frame);
            expect(!FrameState.isDoomed(state), frame, state, "is doomed, but no thread is left to free it");
            expect(!FrameState.isWriting(state), frame, state, "is marked as being written back");
            if (FrameState.isClaimed(state)) {
                expect(FrameState.isFree(state), frame, state, "is claimed, and not free");
                expect(FrameState.pins(state) == 0, frame, state, "is free and pinned");
                expect(contents.holders.get(frame) == null, frame, state, "is free and has a live holder");
                expect(
                        entry == null || table.get(entry.key(), entry.tag()) != entry,
                        frame,
                        state,
                        "is free and mapped");
                continue;
            }
            mapped++;
            expect(FrameState.content(state) == FrameState.READY, frame, state, "is mapped and not loaded");
            expect(entry != null && !entry.isRetired(), frame, state, "is mapped and not bound");
            expect(
                    table.get(entry.key(), entry.tag()) == entry,
                    frame,
                    state,
                    "is bound to a key that the table does not map to it");
            expect(contents.holders.get(frame) == entry.holder, frame, state, "has another holder than its entry");
            expect(pool.states().identity(frame) == entry.tag(), frame, state, "has another identity than its entry");
            expect(
                    entry.key().equals(contents.lifecycle.keyOf(entry.holder)),
                    frame,
                    state,
                    "has a holder with another key");
        }
        int size = table.size();
        if (size != mapped) {
            throw new IllegalStateException(size + " keys are mapped, but " + mapped + " frames are");
        }
        pool.checkFreeFrames();
    }

    private static void expect(boolean holds, int frame, long state, String message) {
        if (!holds) {
            throw new IllegalStateException("frame " + frame + " " + message + ": " + FrameState.toString(state));
        }
    }
}
