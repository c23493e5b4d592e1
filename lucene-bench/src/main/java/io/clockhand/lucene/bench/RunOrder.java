// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.lucene.bench;

import io.clockhand.workbench.environment.Disk;
import io.clockhand.workbench.experiment.Answer;
import io.clockhand.workbench.experiment.Order;
import io.clockhand.workbench.experiment.Timed.Percentiles;
import io.clockhand.workbench.experiment.Timing;
import io.clockhand.workbench.pages.driver.WorkThreads;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.DoubleConsumer;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.util.IOUtils;

/**
 * Play searches in a duel: open the index, read all of it once, so that the cache is full, rehearse, have the memory
 * limited, and play while the referee permits it. Nothing is closed, since a merge may still be in progress.
 *
 * @param index the directory of the index
 * @param home gets the copies of the index
 * @param cacheBytes of a contender with a cache of its own
 * @param group the memory group that the child is in; null for none
 * @param results the directory with the results of each search
 */
record RunOrder(
        Contender contender,
        Work work,
        int threads,
        Path index,
        Path home,
        int pageBytes,
        long cacheBytes,
        MemoryGroup group,
        Path results,
        int searches,
        long seed,
        Timing timing)
        implements Order<RunOrder.RunAnswer> {
    private static final int STEP_BYTES = 4096;
    private static final double MEGABYTE = 1e6;
    private static final double KILOBYTE = 1e3;

    /**
     * The figures of a run.
     *
     * @param latencyMicros of the searches; null if none lay within one slice
     * @param readKilobytes from the disk for each search; null where the system does not count them, and with a merge
     * @param mergedMegabytes written by the merge while searches were played; null without one
     * @param memoryMegabytes of the memory group in the end; null without one
     * @param wrongResults of all searches, warm-up included
     * @param firstWrong one of them in words, or null
     */
    record RunAnswer(
            Percentiles latencyMicros,
            Double readKilobytes,
            Double mergedMegabytes,
            Double memoryMegabytes,
            long wrongResults,
            String firstWrong)
            implements Answer {
        @Override
        public String wrong() {
            return wrongResults == 0 ? null : "in " + wrongResults + " cases " + firstWrong;
        }

        @Override
        public long operations() {
            return 0;
        }

        @Override
        public Double operationsPerSecond() {
            return null;
        }
    }

    @Override
    public RunAnswer perform(DoubleConsumer progress) throws Exception {
        Query[] queries = Searches.list(work.searches(), seed, searches);
        LongBuffer expected = ByteBuffer.wrap(Files.readAllBytes(PrepareOrder.results(results, work.searches())))
                .asLongBuffer();
        Path read = index;
        if (group != null) { // the pages of a file are charged to the group that has read or written them first
            read = home.resolve("index");
            Disk.copyTree(index, read);
        }
        OpenContender opened = OpenContender.of(contender, pageBytes, cacheBytes);
        Directory directory = opened.open(read);
        readAll(directory);
        IndexSearcher searcher = Searches.uncached(DirectoryReader.open(directory));
        Player all = new Player(searcher, work.searches(), queries, expected, seed);
        all.rehearse();
        if (group != null) {
            group.awaitLimit();
        }
        Merges merges = work == Work.MERGE ? Merges.start(opened, read, home) : null;
        ProcessBytes before = ProcessBytes.read();
        try (WorkThreads<Player> players = new WorkThreads<>(threads) {
            @Override
            protected Player make(int thread) {
                return new Player(searcher, work.searches(), queries, expected, seed + 1 + thread);
            }
        }) {
            players.measure(timing, WorkThreads.Interval.UNWATCHED, progress);
            players.workers().forEach(all::add);
        }
        ProcessBytes after = ProcessBytes.read();
        if (merges != null) {
            merges.check();
        }
        return new RunAnswer(
                all.latencyMicros(),
                merges != null || before == null || all.searches() == 0
                        ? null
                        : Double.valueOf((after.fromDisk() - before.fromDisk()) / KILOBYTE / all.searches()),
                merges == null || before == null
                        ? null
                        : Double.valueOf((after.written() - before.written()) / MEGABYTE),
                group == null ? null : Double.valueOf(group.usedBytes() / MEGABYTE),
                all.wrong(),
                all.firstWrong());
    }

    private record Page(IndexInput input, long position) {}

    /** In random order, since some caches do not keep what is read in sequence. */
    private static void readAll(Directory directory) throws IOException {
        List<IndexInput> inputs = new ArrayList<>();
        try {
            List<Page> pages = new ArrayList<>();
            for (String name : directory.listAll()) {
                IndexInput input = directory.openInput(name, IOContext.DEFAULT);
                inputs.add(input);
                for (long at = 0; at < input.length(); at += STEP_BYTES) {
                    pages.add(new Page(input, at));
                }
            }
            Collections.shuffle(pages, new Random(1));
            for (Page page : pages) {
                page.input.seek(page.position);
                page.input.readByte();
            }
        } finally {
            IOUtils.close(inputs);
        }
    }
}
