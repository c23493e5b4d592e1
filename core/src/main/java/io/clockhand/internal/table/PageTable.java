// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.table;

/**
 * From the id of a page to the number of the frame that it is mapped to. Linearizable; thread-safe.
 *
 * <p>Ids and frames are not negative. A frame is mapped to one id at a time: whoever maps it again has removed it first.
 */
public interface PageTable {
    /** No frame. */
    int NONE = -1;

    /**
     * Finds the frame of a page. Takes no lock and writes nothing.
     *
     * @param id the page
     * @return the frame, or {@link #NONE}
     */
    int find(long id);

    /**
     * Guesses the frame of a page, faster than {@link #find} where that is slower.
     *
     * @param id the page
     * @return the frame that the page is probably mapped to, if it is mapped at all; to be checked. {@link #NONE} if it is probably not
     */
    default int peek(long id) {
        return find(id);
    }

    /**
     * Maps a page to a frame unless it is mapped already.
     *
     * @param id the page
     * @param frame a frame that is in the table under no id
     * @return {@link #NONE} if it is mapped now, or the frame that it was mapped to before
     */
    int putIfAbsent(long id, int frame);

    /**
     * Ends the mapping of a page to a frame. Nobody may bind the frame to another page meanwhile.
     *
     * @param id the page
     * @param frame the frame
     * @return false if the page was not mapped to that frame
     */
    boolean remove(long id, int frame);

    /** {@return how many pages are mapped, while nobody changes the table} */
    int size();
}
