// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.table;

/**
 * The frames of consecutive pages: a word for each page, the number of its frame + 1, or {@link PageRange#EMPTY}. Part
 * of an {@link ArrayPageTable}, which states the protocol.
 */
final class Chunk extends PageRange {
    Chunk(int pages, Directory parent, int at) {
        super(pages, parent, at);
    }

    @Override
    int index(long id) {
        return (int) id & (words.length - 1);
    }
}
