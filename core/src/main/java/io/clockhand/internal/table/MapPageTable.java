// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.table;

import java.util.concurrent.ConcurrentMap;

/**
 * A page table on a map of boxed numbers, for comparison with {@link ChainedPageTable}. The numbers of the frames are boxed
 * once; ids are boxed with every call, unless the map takes longs and the compiler sees through.
 */
public final class MapPageTable implements PageTable {
    private final ConcurrentMap<Long, Integer> map;
    private final Integer[] boxed;

    /**
     * Makes a table.
     *
     * @param map an empty map
     * @param frames frames 0 to {@code frames − 1} may be mapped
     */
    public MapPageTable(ConcurrentMap<Long, Integer> map, int frames) {
        this.map = map;
        this.boxed = new Integer[frames];
        for (int frame = 0; frame < frames; frame++) {
            boxed[frame] = frame;
        }
    }

    @Override
    public int find(long id) {
        Integer frame = map.get(id);
        return frame == null ? NONE : frame;
    }

    @Override
    public int putIfAbsent(long id, int frame) {
        Integer before = map.putIfAbsent(id, boxed[frame]);
        return before == null ? NONE : before;
    }

    @Override
    public boolean remove(long id, int frame) {
        return map.remove(id, boxed[frame]);
    }

    @Override
    public int size() {
        return map.size();
    }
}
