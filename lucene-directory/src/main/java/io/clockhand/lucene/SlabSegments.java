// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.lucene;

import java.lang.foreign.MemorySegment;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;

/**
 * The memory segments of the slabs of a pool, so that an input that goes to a page in another slab allocates none. A
 * direct-mapped cache: two slabs with one place are made anew in turn, and so is a slab that no input shows when the
 * collector runs. It holds no slab: one that the pool has given back is garbage as soon as no input shows it.
 *
 * <p>The places are loaded and stored plainly, by any thread. What lies in them has final fields, so whoever finds a
 * slab finds its segment, and a store that is lost or late costs one more segment. Thread-safe.
 */
final class SlabSegments {
    /** A power of two, several times the slabs of most pools. */
    private static final int PLACES = 1 << 12;

    /** The slab of an input that has read nothing. */
    static final Slab NONE = new Slab(ByteBuffer.allocate(0), MemorySegment.NULL);

    @SuppressWarnings({"unchecked", "rawtypes"}) // no array of a generic type can be made
    private final WeakReference<Slab>[] places = new WeakReference[PLACES];

    /**
     * A slab.
     *
     * @param buffer what the pool knows it by
     * @param segment its memory, which stays as long as the buffer does
     */
    record Slab(ByteBuffer buffer, MemorySegment segment) {
        /** {@return whether this is the very slab of that buffer} One with equal bytes is another. */
        @SuppressWarnings("ReferenceEquality")
        boolean isOf(ByteBuffer other) {
            return buffer == other;
        }
    }

    /** {@return the slab that the pool knows by a buffer} */
    Slab of(ByteBuffer buffer) {
        int at = System.identityHashCode(buffer) & PLACES - 1;
        WeakReference<Slab> place = places[at];
        Slab found = place == null ? null : place.get();
        if (found == null || !found.isOf(buffer)) {
            found = new Slab(buffer, MemorySegment.ofBuffer(buffer));
            places[at] = new WeakReference<>(found);
        }
        return found;
    }
}
