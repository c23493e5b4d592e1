// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.frame;

import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * The memory in which the slabs of a {@link FrameMemory} lie: {@linkplain DirectSlabs direct buffers}, or {@linkplain
 * NativeSlabs native memory} with huge pages advised.
 *
 * <p>Memory lives as long as one of its slabs, or a view of one, is reachable. Thread-safe.
 */
public interface PageMemory {
    /**
     * {@return memory for the pages of a pool: native memory where the JVM and the application allow it; otherwise
     * direct buffers}
     *
     * @param hugePages whether native memory is wanted
     * @param pageBytes the size of a page, a power of two
     * @param buffers the number of pages
     */
    static PageMemory of(boolean hugePages, int pageBytes, int buffers) {
        if (!hugePages) {
            return new DirectSlabs(pageBytes, "huge pages are switched off");
        }
        return NativeSlabs.orDirect(pageBytes, buffers);
    }

    /** {@return the size of a slab in bytes, a power of two, if all slabs together have {@code bytes}} */
    int slabBytes(long bytes);

    /**
     * Obtains a slab of zeros at an address that is a multiple of the size of a page. Called once for each slab, by one
     * thread at a time.
     *
     * @param slab its number; all slabs before it have {@link #slabBytes} bytes
     * @param bytes its size
     * @return its bytes
     * @throws OutOfMemoryError if the JVM's limit of direct memory is reached; the message names the flag
     */
    ByteBuffer slab(int slab, int bytes);

    /**
     * Gives bytes back to the operating system, as far as they fill whole pages of it. These bytes are zeros then.
     *
     * @param offset where they begin, in all slabs one after the other
     * @param bytes the number of bytes
     * @return the number of bytes given back; 0 if this memory cannot do that
     */
    long discard(long offset, long bytes);

    /** {@return whether memory is given back when a slab is garbage; false if all slabs lie in one piece of memory} */
    boolean canDrop();

    /**
     * Counts a slab as given back: nobody uses it, though late readers may refer to it.
     *
     * @param bytes its size
     */
    void dropped(int bytes);

    /**
     * Gives all bytes back, as far as this can be done at once. Late readers may refer to slabs, and find zeros. May be
     * called twice.
     *
     * @param inUse whether a thread may still use a page, so that nothing can be given back
     * @return the direct buffers that the collector will free
     */
    List<WeakReference<ByteBuffer>> close(boolean inUse);

    /** {@return the kind of this memory; if it is not native memory, then also the reason} */
    String description();

    /** {@return the bytes obtained from the JVM or the system so far; those of native memory are mapped all at once} */
    long bytes();
}
