// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.lucene;

import io.clockhand.PoolFailedException;
import io.clockhand.page.BufferPool;
import io.clockhand.page.BufferPoolBuilder;
import io.clockhand.page.FileStats;
import io.clockhand.page.PageTableKind;
import io.clockhand.page.PagedFile;
import io.clockhand.page.PoolStats;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.WeakHashMap;
import java.util.function.Consumer;

/**
 * Memory for pages that many {@linkplain ClockhandDirectory directories} share: one for a process, or one for each kind
 * of data. The pages of all files compete for it, so the directory of a shard that is searched a lot takes memory from
 * those that are not.
 *
 * <pre>{@code
 * try (DirectoryPool pool = DirectoryPool.builder().capacityBytes(1L << 30).directIo(true).build();
 *         Directory directory = new ClockhandDirectory(Path.of("shard-1"), pool);
 *         DirectoryReader reader = DirectoryReader.open(directory)) {
 *     TopDocs found = new IndexSearcher(reader).search(query, 10);
 * }
 * }</pre>
 *
 * <p>Thread-safe. To be closed after its directories.
 */
public final class DirectoryPool implements AutoCloseable {
    private final BufferPool pool;
    private final boolean directIo;
    private final SlabSegments segments = new SlabSegments();
    /** Those that are open. A directory that was forgotten leaves by itself. */
    private final Set<ClockhandDirectory> directories = Collections.newSetFromMap(new WeakHashMap<>());

    private final DirectoryWatch watch;

    private DirectoryPool(Builder builder) {
        this.pool = builder.pool.build();
        this.directIo = builder.directIo;
        pool.collectStats(builder.collectsStats);
        this.watch = watched(builder.name);
    }

    private DirectoryWatch watched(String name) {
        try {
            return DirectoryWatch.begun(this, name);
        } catch (RuntimeException | Error e) {
            try {
                pool.close();
            } catch (IOException | RuntimeException second) {
                e.addSuppressed(second);
            }
            throw e;
        }
    }

    void add(ClockhandDirectory directory) {
        synchronized (directories) {
            directories.add(directory);
        }
    }

    void remove(ClockhandDirectory directory) {
        synchronized (directories) {
            directories.remove(directory);
        }
    }

    List<ClockhandDirectory> directories() {
        synchronized (directories) {
            return List.copyOf(directories);
        }
    }

    /** {@return a builder of a pool of 256 MiB in pages of 8 KiB} */
    public static Builder builder() {
        return new Builder();
    }

    BufferPool pool() {
        return pool;
    }

    SlabSegments segments() {
        return segments;
    }

    boolean usesDirectIo() {
        return directIo;
    }

    /** {@return the size of a page in bytes} */
    public int pageBytes() {
        return pool.pageBytes();
    }

    /**
     * {@return figures of the whole pool} Hits, misses and times are zero unless the pool {@linkplain
     * Builder#collectsStats collects} them.
     */
    public PoolStats stats() {
        return pool.stats();
    }

    /**
     * {@return figures of the directories that are open, by path, each as {@link ClockhandDirectory#stats} has them}
     * Scans all pages of the pool once.
     */
    public SortedMap<String, SortedMap<String, KindStats>> directoryStats() {
        return directoryStats(directories());
    }

    SortedMap<String, SortedMap<String, KindStats>> directoryStats(List<ClockhandDirectory> seen) {
        Map<PagedFile, FileStats> figures = pool.fileStats();
        SortedMap<String, SortedMap<String, KindStats>> byPath = new TreeMap<>();
        for (ClockhandDirectory directory : seen) { // one may have been closed since
            SortedMap<String, KindStats> kinds =
                    byPath.computeIfAbsent(directory.path().toString(), path -> new TreeMap<>());
            directory.stats(figures).forEach((kind, stats) -> kinds.merge(kind, stats, KindStats::plus));
        }
        return byPath;
    }

    /**
     * Closes the pool, also one that has failed, and the files of directories that are still open.
     *
     * @throws IOException if a file could not be closed
     */
    @Override
    public void close() throws IOException {
        try {
            pool.close();
        } catch (PoolFailedException e) { // whoever has read since then knows
            pool.closeWithoutWriting(); // files are written beside the pool
        } finally {
            if (pool.isClosed()) {
                watch.close();
            }
        }
    }

    @Override
    public String toString() {
        return "DirectoryPool(" + pool.frames() + " pages of " + pageBytes() + " bytes"
                + (directIo ? ", direct I/O" : "") + ")";
    }

    /** Makes a pool. */
    public static final class Builder {
        private static final int PAGE_BYTES = 8 << 10;
        private static final long CAPACITY_BYTES = 256 << 20;

        /** With a table whose entries of neighbouring pages lie together, since a search reads parts of a file. */
        private final BufferPoolBuilder pool = BufferPool.builder()
                .pageBytes(PAGE_BYTES)
                .capacityBytes(CAPACITY_BYTES)
                .tuning(t -> t.table(PageTableKind.ARRAY));

        private boolean directIo;
        private boolean collectsStats;
        private String name = "";

        private Builder() {}

        /**
         * Sets how many bytes of pages fit into memory, outside of the heap. The JVM must allow as much direct memory
         * and a little more, unless the pages lie in native memory: {@code -XX:MaxDirectMemorySize}.
         *
         * @param bytes at least the size of a page
         * @return this builder
         */
        public Builder capacityBytes(long bytes) {
            pool.capacityBytes(bytes);
            return this;
        }

        /**
         * Sets the size of a page.
         *
         * @param bytes a power of two from 512 to 65,536; with direct I/O at least a block of the device, 4,096 on
         *     most. A vector that crosses two pages is read in two parts, so pages should be large beside vectors
         * @return this builder
         */
        public Builder pageBytes(int bytes) {
            pool.pageBytes(bytes);
            return this;
        }

        /**
         * Sets whether pages are read past the operating system's cache. Files that are not encrypted are still written
         * through that cache, which has the newest of them for a while.
         *
         * @param on false if not set
         * @return this builder
         */
        public Builder directIo(boolean on) {
            directIo = on;
            return this;
        }

        /**
         * Sets the replacement policy.
         *
         * @param name as {@link BufferPoolBuilder#policy(String)}
         * @return this builder
         */
        public Builder policy(String name) {
            pool.policy(name);
            return this;
        }

        /**
         * Names the pool for its management beans, a {@link DirectoryPoolMXBean} and a {@link
         * io.clockhand.page.BufferPoolMXBean}, and for its events.
         *
         * @param name as {@link BufferPoolBuilder#name}
         * @return this builder
         */
        public Builder name(String name) {
            pool.name(name);
            this.name = name;
            return this;
        }

        /**
         * Sets whether the pool counts hits and misses from the beginning.
         *
         * @param on false if not set
         * @return this builder
         */
        public Builder collectsStats(boolean on) {
            collectsStats = on;
            return this;
        }

        /**
         * Sets how long a read waits for another thread's read of the same page, and for memory if all of it is in use.
         * Then it is a {@link DirectoryBusyException}.
         *
         * @param wait as {@link BufferPoolBuilder#waitTimeout}
         * @return this builder
         */
        public Builder waitTimeout(Duration wait) {
            pool.waitTimeout(wait).exhaustedAfter(wait);
            return this;
        }

        /**
         * Sets what few programs need, on the builder of the pool of pages. What is set there overrides this builder.
         *
         * @param settings changes that builder
         * @return this builder
         */
        public Builder tuning(Consumer<BufferPoolBuilder> settings) {
            settings.accept(pool);
            return this;
        }

        /**
         * Makes the pool. Its memory is allocated as pages are read.
         *
         * @return the pool, to be closed
         * @throws IllegalArgumentException as {@link BufferPoolBuilder#build}
         */
        public DirectoryPool build() {
            return new DirectoryPool(this);
        }
    }
}
