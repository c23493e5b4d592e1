// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.cache;

import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * A reference for each frame.
 *
 * <p>Written after a release fence by the thread that owns the frame, read before an acquire fence by any thread
 * (fences, since access through a VarHandle checks the class of the array each time, which a hit would feel); a reader
 * that needs the reference to last pins the frame and reads again. Chunks are added before the frames in them are used
 * and never go away.
 */
class FrameArray<T> {
    private static final int CHUNK_SHIFT = 10;
    private static final int CHUNK = 1 << CHUNK_SHIFT;

    private final T[] first;
    private volatile T[][] added = newChunks(0);

    /**
     * Creates an empty array.
     *
     * @param frames the number of frames that the cache begins with
     */
    FrameArray(int frames) {
        this.first = newChunk(frames);
    }

    final synchronized void ensureFrames(int frames) {
        int have = added.length;
        int need = (frames - first.length + CHUNK - 1) >> CHUNK_SHIFT;
        if (need > have) {
            T[][] grown = Arrays.copyOf(added, need);
            for (int i = have; i < need; i++) {
                grown[i] = newChunk(CHUNK);
            }
            added = grown;
        }
    }

    @SuppressWarnings("unchecked")
    private static <T> T[][] newChunks(int length) {
        return (T[][]) new Object[length][];
    }

    @SuppressWarnings("unchecked")
    private static <T> T[] newChunk(int length) {
        return (T[]) new Object[length];
    }

    final T get(int frame) {
        T reference = frame < first.length ? first[frame] : added(added, frame);
        VarHandle.acquireFence();
        return reference;
    }

    /**
     * As {@link #get}, for a frame named by a hint, which may be newer than the chunks that this thread sees: null
     * then.
     */
    final T hinted(int frame) {
        if (frame < first.length) {
            return get(frame);
        }
        T[][] seen = added;
        if ((frame - first.length) >> CHUNK_SHIFT >= seen.length) {
            return null;
        }
        T reference = added(seen, frame);
        VarHandle.acquireFence();
        return reference;
    }

    final void set(int frame, T reference) {
        VarHandle.releaseFence();
        if (frame < first.length) {
            first[frame] = reference;
        } else {
            added[(frame - first.length) >> CHUNK_SHIFT][(frame - first.length) & (CHUNK - 1)] = reference;
        }
    }

    private T added(T[][] chunks, int frame) {
        int at = frame - first.length;
        return chunks[at >> CHUNK_SHIFT][at & (CHUNK - 1)];
    }
}
