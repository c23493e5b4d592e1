// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.lucene.bench;

import io.clockhand.workbench.experiment.options.CommaList;
import io.clockhand.workbench.experiment.options.CommonOptions;
import io.clockhand.workbench.experiment.options.OptionValues;
import io.clockhand.workbench.experiment.options.ThreadOptions;
import io.clockhand.workbench.experiment.options.TimeOptions;
import io.clockhand.workbench.experiment.options.Usage;
import io.clockhand.workbench.experiment.report.Cell;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of {@code lucene}. */
final class Settings {
    private static final int FEWEST_DOCUMENTS = 100;
    private static final int MOST_DOCUMENTS = 100_000_000;
    private static final int MOST_SEGMENTS = 100;
    private static final int MOST_SEARCHES = 1_000_000;
    private static final int LEAST_PAGE_BYTES = 4096;
    private static final int MOST_PAGE_BYTES = 1 << 20;
    private static final int LEAST_HEAP = 128;
    private static final int MOST_HEAP = 1 << 16;
    private static final double LEAST_PERCENT = 0.1;
    private static final int MOST_THREADS = 64;

    @Option(
            names = "--contenders",
            paramLabel = "NAME,…",
            split = ",",
            converter = Contender.Names.class,
            completionCandidates = Contender.Names.class,
            description = "${COMPLETION-CANDIDATES}; see below (default: ${DEFAULT-VALUE}).")
    private List<Contender> contenders = CommaList.of(
            Contender.MMAP,
            Contender.MMAP_RANDOM,
            Contender.NIO,
            Contender.CAFFEINE,
            Contender.CLOCKHAND,
            Contender.CLOCKHAND_DIRECT);

    @Option(
            names = "--work",
            paramLabel = "NAME,…",
            split = ",",
            converter = Work.Names.class,
            completionCandidates = Work.Names.class,
            description = "${COMPLETION-CANDIDATES}; see below; a list makes a run for each"
                    + " (default: ${DEFAULT-VALUE}).")
    private List<Work> work = CommaList.of(Work.TERMS, Work.SORTS, Work.VECTORS);

    @Mixin
    private ThreadOptions threads = new ThreadOptions(CommaList.of(1));

    @Option(
            names = "--memory-percent",
            paramLabel = "P,…",
            split = ",",
            description = "Memory of each contender, as a share of the index; 100 has no limit and room for all of"
                    + " it; a list makes a run for each (default: ${DEFAULT-VALUE}).")
    private List<Double> memoryPercent = CommaList.of(100.0);

    @Option(
            names = "--documents",
            paramLabel = "N",
            description = "Of some 700 bytes of index each (default: ${DEFAULT-VALUE}).")
    private int documents = 100_000;

    @Option(
            names = "--segments",
            paramLabel = "N",
            description = "Equal segments of the index (default: ${DEFAULT-VALUE}).")
    private int segments = 4;

    @Option(
            names = "--searches",
            paramLabel = "N",
            description =
                    "Different searches of each work, of which the next one is drawn (default:" + " ${DEFAULT-VALUE}).")
    private int searches = 10_000;

    @Option(
            names = "--page-bytes",
            paramLabel = "N",
            description = "Of Clockhand's pages, a power of two (default: ${DEFAULT-VALUE}).")
    private int pageBytes = 8192;

    @Option(
            names = "--heap",
            paramLabel = "N",
            description = "Megabytes of the heap of each JVM (default: ${DEFAULT-VALUE}).")
    private int heap = 512;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "Keeps the index for the next time (default: ${DEFAULT-VALUE}).")
    private Path data = Path.of("clockhand-out", "data");

    @Mixin
    private TimeOptions times = new TimeOptions(6, 0.3);

    @Mixin
    private CommonOptions common = new CommonOptions();

    /** Refuses wrong values. */
    void check(Usage usage) {
        usage.require(
                contenders.size() > 1,
                "--contenders must name two or more, such as mmap,clockhand: they are compared in a duel");
        usage.requireOnce("--work", "a work", work);
        threads.check(usage);
        usage.requireEach("--threads", threads.threads(), MOST_THREADS);
        usage.requireOnce("--memory-percent", "a share", memoryPercent);
        memoryPercent.forEach(percent -> usage.requireWithin("--memory-percent", percent, LEAST_PERCENT, 100));
        usage.requireWithin("--documents", documents, FEWEST_DOCUMENTS, MOST_DOCUMENTS);
        usage.requireWithin("--segments", segments, 1, MOST_SEGMENTS);
        usage.requireWithin("--searches", searches, 1, MOST_SEARCHES);
        usage.requireWithin("--page-bytes", pageBytes, LEAST_PAGE_BYTES, MOST_PAGE_BYTES);
        usage.require(Integer.bitCount(pageBytes) == 1, "--page-bytes must be a power of two");
        usage.requireWithin("--heap", heap, LEAST_HEAP, MOST_HEAP);
        times.check(usage, contenders.stream().map(Contender::toString).toList());
    }

    List<Contender> contenders() {
        return contenders;
    }

    List<Work> works() {
        return work;
    }

    TimeOptions times() {
        return times;
    }

    int documents() {
        return documents;
    }

    int segments() {
        return segments;
    }

    int searches() {
        return searches;
    }

    int pageBytes() {
        return pageBytes;
    }

    long seed() {
        return common.seed();
    }

    Path out() {
        return common.out();
    }

    /** The directory of the index. */
    Path index() {
        return data.resolve("lucene-" + documents + "-" + segments);
    }

    long heapBytes() {
        return (long) heap << 20;
    }

    /** Of every JVM; the whole heap is in memory from the start, so that it does not grow into that of the index. */
    List<String> jvmFlags() {
        return List.of(
                "-Xms" + heap + "m",
                "-Xmx" + heap + "m",
                "-XX:+AlwaysPreTouch",
                "-XX:+UseG1GC",
                "--add-modules=jdk.incubator.vector",
                "--enable-native-access=ALL-UNNAMED");
    }

    boolean isLimited() {
        return plan().stream().anyMatch(cells -> cells.get(0).setting().isLimited());
    }

    /** Every setting, by groups that are compared. */
    List<List<Cell<Setting, Contender>>> plan() {
        List<Setting> settings = new ArrayList<>();
        for (double percent : memoryPercent) {
            for (Work played : work) {
                threads.threads().forEach(count -> settings.add(new Setting(played, count, percent)));
            }
        }
        return Cell.plan(settings, contenders, times.repeat());
    }

    Map<String, Object> asOptions() {
        return OptionValues.of(this);
    }
}
