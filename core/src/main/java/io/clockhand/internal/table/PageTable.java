// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.table;

/**
 * Maps page ids to frame numbers. Linearizable; thread-safe.
 *
 * <p>Ids and frames are not negative. A frame is mapped under at most one id: the caller removes the mapping before
 * it maps the frame under another id.
 */
public interface PageTable {
    /** No frame. */
    int NONE = -1;

    /** A lookup takes about as long as a scan takes for this number of frames. */
    int FRAMES_PER_LOOKUP = 4;
    /** This number of lookups costs less than the other work of the callers. */
    int FEW_LOOKUPS = 8;

    /**
     * {@return whether to look up each page of a range costs less than to look at each frame}
     *
     * @param first the first page
     * @param last the last page, not before the first
     * @param frames the number of frames
     */
    static boolean isFaster(long first, long last, int frames) {
        return last - first < Math.max(FEW_LOOKUPS, frames / FRAMES_PER_LOOKUP);
    }

    /**
     * Finds the frame of a page. Takes no lock, and writes nothing that another lookup waits for.
     *
     * @param id the page
     * @return the frame, or {@link #NONE}
     */
    int find(long id);

    /**
     * Returns a candidate for the frame of a page, at no more cost than {@link #find}. The result may be wrong in
     * either direction, also for long after a change. So the caller compares the frame's id with the page's, and
     * tests that the page was not unmapped, before it uses the frame; and it calls {@link #find} before it treats the
     * page as absent.
     *
     * @param id the page
     * @return the frame that the page is probably mapped to, or a negative number
     */
    default int peek(long id) {
        return find(id);
    }

    /**
     * Maps a page to a frame unless the page is mapped already. If this throws, the page may be mapped to the frame or
     * not.
     *
     * @param id the page
     * @param frame a frame that is not mapped
     * @return {@link #NONE} if this call mapped the page; otherwise the frame that the page is mapped to
     */
    int putIfAbsent(long id, int frame);

    /**
     * Removes the mapping of a page to a frame. The frame must stay bound to the page until this call returns. If it
     * throws, the page may be mapped to the frame or not, and the frame must stay bound until another call returns.
     * Another thread may be about to map this frame: then this returns false if it was first.
     *
     * @param id the page
     * @param frame the frame
     * @return false if the page was not mapped to that frame
     */
    boolean remove(long id, int frame);

    /** {@return the number of mapped pages; exact only while no thread changes the table} */
    int size();

    /** {@return the memory of the table in bytes, about; −1 if that is not known} */
    default long bytes() {
        return -1;
    }
}
