// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.testkit;

import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * The bytes of a file in one of its views, by sector. The array of a sector never changes, so that views share it.
 * Sectors that are missing are zero. Not thread-safe.
 */
final class Sectors {
    private final int sectorBytes;
    private final NavigableMap<Long, byte[]> sectors;
    private long length;

    Sectors(int sectorBytes) {
        this(sectorBytes, new TreeMap<>(), 0);
    }

    private Sectors(int sectorBytes, NavigableMap<Long, byte[]> sectors, long length) {
        this.sectorBytes = sectorBytes;
        this.sectors = sectors;
        this.length = length;
    }

    Sectors copy() {
        return new Sectors(sectorBytes, new TreeMap<>(sectors), length);
    }

    long length() {
        return length;
    }

    /** {@return the space of the sectors that are not missing} */
    long bytes() {
        return (long) sectors.size() * sectorBytes;
    }

    /** {@return the bytes of a sector, or null if it is missing} */
    byte[] get(long sector) {
        return sectors.get(sector);
    }

    void put(long sector, byte[] bytes) {
        sectors.put(sector, bytes);
    }

    /** Changes the length; a part that is appended is zero. */
    void setLength(long bytes) {
        if (bytes < length) {
            discardFrom(bytes);
        }
        length = bytes;
    }

    /** Discards bytes behind the end. */
    void trim() {
        discardFrom(length);
    }

    private void discardFrom(long position) {
        long sector = position / sectorBytes;
        int rest = (int) (position % sectorBytes);
        byte[] last = rest == 0 ? null : sectors.get(sector);
        sectors.tailMap(sector, true).clear();
        if (last != null) {
            byte[] shortened = new byte[sectorBytes];
            System.arraycopy(last, 0, shortened, 0, rest);
            sectors.put(sector, shortened);
        }
    }
}
