// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jmh;

import io.clockhand.internal.table.PageTable;
import java.util.concurrent.ConcurrentMap;

/**
 * A page table on a map of boxed numbers, for comparison with core's own. Frame numbers are boxed once, ids in each
 * call (unless the compiler removes the box).
 */
final class MapPageTable implements PageTable {
    private final ConcurrentMap<Long, Integer> map;
    private final Integer[] boxed;

    MapPageTable(ConcurrentMap<Long, Integer> map, int frames) {
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
