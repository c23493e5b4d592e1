// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.lucene.bench;

import io.clockhand.duel.SliceClock;
import io.clockhand.workbench.environment.Child;
import io.clockhand.workbench.environment.Disk;
import io.clockhand.workbench.experiment.Timed.Percentiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.HdrHistogram.Histogram;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.util.IOUtils;

/**
 * The child JVM of one contender. It opens the index, reads all of it once, so that its cache is full, rehearses, has
 * its memory limited, and plays searches while the referee of the duel permits it. It ends without closing anything,
 * since a merge may still be in progress.
 */
final class RunChild {
    private static final int LEAST_REHEARSED = 100;
    private static final long REHEARSAL_NANOS = 1_000_000_000;
    private static final int STEP_BYTES = 4096;
    private static final int DIGITS = 2;
    private static final double NANOS_PER_MICRO = 1_000;

    private final RunOrder order;
    private final Query[] queries;
    private final LongBuffer results;
    private volatile boolean failed;

    private RunChild(RunOrder order) throws IOException {
        this.order = order;
        Work work = order.work().searches();
        queries = Searches.list(work, order.seed(), order.searches());
        results = ByteBuffer.wrap(Files.readAllBytes(PrepareChild.results(order.results(), work)))
                .asLongBuffer();
    }

    public static void main(String[] arguments) {
        Child.serve(arguments, RunOrder.class, order -> new RunChild(order).run());
    }

    /** What one thread has played. */
    private static final class Tally {
        private final Histogram nanos = new Histogram(DIGITS);
        private long searches;
        private long wrong;
        private String firstWrong;
    }

    private RunAnswer run() throws Exception {
        Path index = Path.of(order.index());
        if (order.group() != null) { // the pages of a file are charged to the group that has read or written them first
            index = Path.of(order.directory(), "index");
            Disk.copyTree(Path.of(order.index()), index);
        }
        OpenContender contender = OpenContender.of(order.contender(), order.pageBytes(), order.cacheBytes());
        Directory directory = contender.open(index);
        readAll(directory);
        IndexSearcher searcher = PrepareChild.uncached(DirectoryReader.open(directory));
        Tally rehearsal = new Tally();
        SplittableRandom random = new SplittableRandom(order.seed());
        long end = System.nanoTime() + REHEARSAL_NANOS;
        for (int i = 0; i < LEAST_REHEARSED || System.nanoTime() < end; i++) {
            search(searcher, random.nextInt(queries.length), rehearsal);
        }
        if (order.group() != null) {
            MemoryGroup.awaitLimit(Path.of(order.limitRequest()));
        }
        Merges merges = order.work() == Work.MERGE ? Merges.start(contender, index, order.directory()) : null;

        ProcessBytes before = ProcessBytes.read();
        List<Tally> tallies = play(searcher);
        ProcessBytes after = ProcessBytes.read();
        if (merges != null) {
            merges.check();
        }
        long searches = tallies.stream().mapToLong(tally -> tally.searches).sum();
        tallies.add(rehearsal);
        return new RunAnswer(
                percentiles(tallies),
                merges != null || before == null || searches == 0
                        ? null
                        : Double.valueOf((double) (after.fromDisk() - before.fromDisk()) / searches),
                merges == null || before == null ? null : Long.valueOf(after.written() - before.written()),
                order.group() == null ? null : Long.valueOf(MemoryGroup.usedBytes(Path.of(order.group()))),
                tallies.stream().mapToLong(tally -> tally.wrong).sum(),
                tallies.stream()
                        .map(tally -> tally.firstWrong)
                        .filter(Objects::nonNull)
                        .findFirst()
                        .orElse(null));
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

    private List<Tally> play(IndexSearcher searcher) throws Exception {
        SliceClock clock = SliceClock.open(Path.of(order.slices()));
        ExecutorService threads = Executors.newFixedThreadPool(order.threads());
        List<Future<Tally>> ends = new ArrayList<>();
        for (int t = 0; t < order.threads(); t++) {
            SliceClock.Counter counter = clock.counter(t);
            SplittableRandom random = new SplittableRandom(order.seed() + 1 + t);
            ends.add(threads.submit(() -> play(searcher, clock, counter, random)));
        }
        clock.ready();
        List<Tally> tallies = new ArrayList<>();
        for (Future<Tally> end : ends) {
            tallies.add(end.get());
        }
        return tallies;
    }

    /** Which search is next is drawn, since a cycle would be the worst case of some caches. */
    private Tally play(IndexSearcher searcher, SliceClock clock, SliceClock.Counter counter, SplittableRandom random)
            throws IOException {
        Tally tally = new Tally();
        try {
            while (!clock.isOver() && !failed) {
                long slice = clock.slice();
                long begin = System.nanoTime();
                search(searcher, random.nextInt(queries.length), tally);
                long nanos = System.nanoTime() - begin;
                counter.add(1);
                if (clock.counts(slice)) {
                    tally.nanos.recordValue(nanos);
                }
            }
            return tally;
        } catch (Throwable failure) {
            failed = true;
            throw failure;
        }
    }

    private void search(IndexSearcher searcher, int number, Tally tally) throws IOException {
        long found = Searches.play(searcher, order.work().searches(), queries[number]);
        tally.searches++;
        if (found != results.get(number)) {
            tally.wrong++;
            tally.firstWrong = "search " + number + " (" + queries[number] + ") found other documents or scores";
        }
    }

    private static Percentiles percentiles(List<Tally> tallies) {
        Histogram nanos = new Histogram(DIGITS);
        tallies.forEach(tally -> nanos.add(tally.nanos));
        return nanos.getTotalCount() == 0
                ? null
                : new Percentiles(micros(nanos, 50), micros(nanos, 95), micros(nanos, 99));
    }

    private static double micros(Histogram nanos, double percentile) {
        return nanos.getValueAtPercentile(percentile) / NANOS_PER_MICRO;
    }
}
