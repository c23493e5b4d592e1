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

    private final Entry<K, V>[] first;
    private volatile Entry<K, V>[][] added = newChunks(0);

    /** For the frames that a cache begins with. */
    Bindings(int frames) {
        this.first = newChunk(frames);
    }

    synchronized void ensureFrames(int frames) {
        int have = added.length;
        int need = (frames - first.length + CHUNK - 1) >> CHUNK_SHIFT;
        if (need > have) {
            Entry<K, V>[][] grown = Arrays.copyOf(added, need);
            for (int i = have; i < need; i++) {
                grown[i] = newChunk(CHUNK);
            }
            added = grown;
        }
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static <K, V> Entry<K, V>[][] newChunks(int length) {
        return new Entry[length][];
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static <K, V> Entry<K, V>[] newChunk(int length) {
        return new Entry[length];
    }

    Entry<K, V> get(int frame) {
        Entry<K, V> entry = frame < first.length ? first[frame] : added(added, frame);
        VarHandle.acquireFence();
        return entry;
    }

    /** As {@link #get}, for a frame named by a hint, which may be newer than the chunks that this thread sees: null then. */
    Entry<K, V> hinted(int frame) {
        if (frame < first.length) {
            return get(frame);
        }
        Entry<K, V>[][] seen = added;
        if ((frame - first.length) >> CHUNK_SHIFT >= seen.length) {
            return null;
        }
        Entry<K, V> entry = added(seen, frame);
        VarHandle.acquireFence();
        return entry;
    }

    void set(int frame, Entry<K, V> entry) {
        VarHandle.releaseFence();
        if (frame < first.length) {
            first[frame] = entry;
        } else {
            added[(frame - first.length) >> CHUNK_SHIFT][(frame - first.length) & (CHUNK - 1)] = entry;
        }
    }

    private Entry<K, V> added(Entry<K, V>[][] chunks, int frame) {
        int at = frame - first.length;
        return chunks[at >> CHUNK_SHIFT][at & (CHUNK - 1)];
    }

    /** Names what a frame holds, for a message. */
    String describe(int frame) {
        Entry<K, V> entry = get(frame);
        return entry == null ? "frame " + frame : "key " + entry.key();
    }
}
