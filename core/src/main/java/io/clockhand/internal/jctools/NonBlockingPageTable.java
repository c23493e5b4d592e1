// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.jctools;

import io.clockhand.internal.table.PageTable;
import org.jctools.maps.NonBlockingHashMapLong;

/**
 * A page table on Cliff Click's non-blocking hash map, in JCTools' implementation for keys of type {@code long}.
 *
 * <p>The map starts with space for twice as many pages as there are frames. A removed page leaves its slot occupied;
 * when too many slots are, the map copies itself. JDK 24 and later print a warning, since JCTools uses {@code
 * Unsafe}.
 */
public final class NonBlockingPageTable implements PageTable {
    private final NonBlockingHashMapLong<Integer> map;
    private final Integer[] boxed;

    /**
     * Creates an empty table.
     *
     * @param frames frames 0 to {@code frames − 1} may be mapped
     */
    public NonBlockingPageTable(int frames) {
        this.map = new NonBlockingHashMapLong<>(2 * frames, false);
        this.boxed = new Integer[frames];
        for (int frame = 0; frame < frames; frame++) {
            boxed[frame] = frame;
        }
    }

    @Override
    public int find(long id) {
        Integer frame = map.get(key(id));
        return frame == null ? NONE : frame;
    }

    @Override
    public int putIfAbsent(long id, int frame) {
        Integer before = map.putIfAbsent(key(id), boxed[frame]);
        return before == null ? NONE : before;
    }

    @Override
    public boolean remove(long id, int frame) {
        return map.remove(key(id), boxed[frame]);
    }

    /**
     * Avoids key 0, which the map stores outside its slots: there, two threads can insert at once while a third removes
     * (JCTools 4.0.7).
     */
    private static long key(long id) {
        return id + 1;
    }

    @Override
    public int size() {
        return map.size();
    }
}
