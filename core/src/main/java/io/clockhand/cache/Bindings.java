// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.cache;

import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * The entry that each frame is bound to, or was bound to last.
 *
 * <p>Written after a release fence by the thread that has claimed the frame, read before an acquire fence by anybody
 * (fences, since access through a VarHandle checks the class of the array each time, which a hit would feel); a reader
 * that needs the binding to last pins the frame and looks again. Chunks are added before the frames in them are used and
 * never go away.
 */
final class Bindings<K, V> {
    private static final int CHUNK_SHIFT = 10;
    private static final int CHUNK = 1 << CHUNK_SHIFT;

    private volatile Entry<K, V>[][] chunks = newChunks(0);

    synchronized void ensureFrames(int frames) {
        int have = chunks.length;
        int need = (frames + CHUNK - 1) >>> CHUNK_SHIFT;
        if (need > have) {
            Entry<K, V>[][] grown = Arrays.copyOf(chunks, need);
            for (int i = have; i < need; i++) {
                grown[i] = newChunk();
            }
            chunks = grown;
        }
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static <K, V> Entry<K, V>[][] newChunks(int length) {
        return new Entry[length][];
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static <K, V> Entry<K, V>[] newChunk() {
        return new Entry[CHUNK];
    }

    Entry<K, V> get(int frame) {
        return get(chunks, frame);
    }

    private static <K, V> Entry<K, V> get(Entry<K, V>[][] chunks, int frame) {
        Entry<K, V> entry = chunks[frame >>> CHUNK_SHIFT][frame & (CHUNK - 1)];
        VarHandle.acquireFence();
        return entry;
    }

    /** As {@link #get}, for a frame named by a hint, which may be newer than the chunks that this thread sees: null then. */
    Entry<K, V> hinted(int frame) {
        Entry<K, V>[][] seen = chunks;
        return frame >>> CHUNK_SHIFT < seen.length ? get(seen, frame) : null;
    }

    void set(int frame, Entry<K, V> entry) {
        VarHandle.releaseFence();
        chunks[frame >>> CHUNK_SHIFT][frame & (CHUNK - 1)] = entry;
    }

    /** Names what a frame holds, for a message. */
    String describe(int frame) {
        Entry<K, V> entry = get(frame);
        return entry == null ? "frame " + frame : "key " + entry.key();
    }
}
