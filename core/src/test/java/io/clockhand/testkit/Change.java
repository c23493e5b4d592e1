// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.testkit;

/**
 * A write or a truncation that was not forced yet: the sectors that it wrote, as they were afterwards, and the length
 * of the file if it changed.
 */
final class Change {
    /** The length did not change. */
    static final long SAME_LENGTH = -1;

    private static final byte[][] NOTHING = {};

    private final long firstSector;
    /** By sector; null where nothing was written. */
    private final byte[][] images;

    private final long length;

    Change(long firstSector, byte[][] images, long length) {
        this.firstSector = firstSector;
        this.images = images;
        this.length = length;
    }

    static Change ofLength(long length) {
        return new Change(0, NOTHING, length);
    }

    boolean isWrite() {
        return images.length > 0;
    }

    boolean changesLength() {
        return length != SAME_LENGTH;
    }

    int sectors() {
        return images.length;
    }

    /** {@return what is left of it when its bytes are lost} */
    Change withoutBytes() {
        return ofLength(length);
    }

    void applyTo(Sectors view) {
        for (int i = 0; i < images.length; i++) {
            applySectorTo(view, i);
        }
        applyLengthTo(view);
    }

    void applySectorTo(Sectors view, int i) {
        if (images[i] != null) {
            view.put(firstSector + i, images[i]);
        }
    }

    void applyLengthTo(Sectors view) {
        if (changesLength()) {
            view.setLength(length);
        }
    }
}
