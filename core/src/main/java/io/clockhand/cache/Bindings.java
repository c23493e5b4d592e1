// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.cache;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The entry that each frame is bound to, or was bound to last.
 *
 * <p>Written with release order by the thread that has claimed the frame, read with acquire order by anybody; a reader
 * that needs the binding to last pins the frame and looks again. Chunks are added before the frames in them are used and
 * never go away.
 */
final class Bindings<K, V> {
    private static final int CHUNK_SHIFT = 8;
    private static final int CHUNK = 1 << CHUNK_SHIFT;

    @SuppressWarnings({"unchecked", "rawtypes"})
    private volatile AtomicReferenceArray<Entry<K, V>>[] chunks = new AtomicReferenceArray[0];

    synchronized void ensureFrames(int frames) {
        int have = chunks.length;
        int need = (frames + CHUNK - 1) >>> CHUNK_SHIFT;
        if (need > have) {
            AtomicReferenceArray<Entry<K, V>>[] grown = Arrays.copyOf(chunks, need);
            for (int i = have; i < need; i++) {
                grown[i] = new AtomicReferenceArray<>(CHUNK);
            }
            chunks = grown;
        }
    }

    Entry<K, V> get(int frame) {
        return chunks[frame >>> CHUNK_SHIFT].getAcquire(frame & (CHUNK - 1));
    }

    void set(int frame, Entry<K, V> entry) {
        chunks[frame >>> CHUNK_SHIFT].setRelease(frame & (CHUNK - 1), entry);
    }

    /** Names what a frame holds, for a message. */
    String describe(int frame) {
        Entry<K, V> entry = get(frame);
        return entry == null ? "frame " + frame : "key " + entry.key;
    }
}
