// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.table;

import org.jctools.maps.NonBlockingHashMapLong;

/**
 * The page table of the Nb-GCLOCK paper: Cliff Click's non-blocking hash table, here JCTools' for keys of type long, made
 * so large that it need not grow. A page that goes leaves its slot behind; when too many have, the table copies itself.
 *
 * <p>It uses memory access inside the JDK, so JDK 24 and later print a warning.
 */
public final class LongMapPageTable implements PageTable {
    private final NonBlockingHashMapLong<Integer> map;
    private final Integer[] boxed;

    /**
     * Makes an empty table.
     *
     * @param frames frames 0 to {@code frames − 1} may be mapped
     */
    public LongMapPageTable(int frames) {
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

    /** Never 0: the map keeps that key apart, and two threads can put it at once if a third removes it (JCTools 4.0.7). */
    private static long key(long id) {
        return id + 1;
    }

    @Override
    public int size() {
        return map.size();
    }
}
