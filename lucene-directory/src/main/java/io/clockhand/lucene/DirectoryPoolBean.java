// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.lucene;

import java.lang.ref.WeakReference;
import java.util.Collection;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/** A pool as its management bean shows it; the bean refers to it weakly. Thread-safe. */
final class DirectoryPoolBean implements DirectoryPoolMXBean {
    private final WeakReference<DirectoryPool> pool;
    private final String name;

    DirectoryPoolBean(DirectoryPool pool, String name) {
        this.pool = new WeakReference<>(pool);
        this.name = name;
    }

    private DirectoryPool pool() {
        DirectoryPool found = pool.get();
        if (found == null) {
            throw new IllegalStateException("the pool was not closed, and nobody uses it any more");
        }
        return found;
    }

    @Override
    public String getName() {
        return name;
    }

    @Override
    public int getDirectories() {
        return pool().directories().size();
    }

    @Override
    public SortedMap<String, SortedMap<String, KindStats>> getFigures() {
        return pool().directoryStats();
    }

    @Override
    public SortedMap<String, Double> getHitRatioByDirectory() {
        return byDirectory(KindStats::hitRatio);
    }

    @Override
    public SortedMap<String, Double> getHitRatioByKind() {
        SortedMap<String, KindStats> kinds = new TreeMap<>();
        getFigures()
                .values()
                .forEach(ofOne -> ofOne.forEach((kind, stats) -> kinds.merge(kind, stats, KindStats::plus)));
        SortedMap<String, Double> ratios = new TreeMap<>();
        kinds.forEach((kind, stats) -> ratios.put(kind, stats.hitRatio()));
        return ratios;
    }

    @Override
    public SortedMap<String, Long> getResidentBytesByDirectory() {
        return byDirectory(KindStats::residentBytes);
    }

    private <V> SortedMap<String, V> byDirectory(Function<KindStats, V> figure) {
        SortedMap<String, V> values = new TreeMap<>();
        getFigures().forEach((path, kinds) -> values.put(path, figure.apply(sum(kinds.values()))));
        return values;
    }

    private static KindStats sum(Collection<KindStats> kinds) {
        return kinds.stream().reduce(KindStats.NONE, KindStats::plus);
    }
}
