// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.lucene;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * The memory segments of the slabs of a pool, so that an input that goes to a page in another slab allocates none. A
 * direct-mapped cache: two slabs with one place are made anew in turn, which costs a small object.
 *
 * <p>The places are loaded and stored plainly, by any thread. What lies in them has final fields, so whoever finds a
 * slab finds its segment, and a store that is lost or late costs one more segment. Thread-safe.
 */
final class SlabSegments {
    private static final int PLACES = 1024;

    private final Slab[] places = new Slab[PLACES];

    private record Slab(ByteBuffer buffer, MemorySegment segment) {}

    /** {@return the segment of a slab, which keeps its memory as the buffer does} */
    @SuppressWarnings("ReferenceEquality") // the very slab, not one with equal bytes
    MemorySegment of(ByteBuffer buffer) {
        int at = System.identityHashCode(buffer) % PLACES;
        Slab found = places[at];
        if (found == null || found.buffer != buffer) {
            found = new Slab(buffer, MemorySegment.ofBuffer(buffer));
            places[at] = found;
        }
        return found.segment;
    }
}
