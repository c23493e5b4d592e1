// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.replay;

import io.clockhand.io.FilePageStore;
import io.clockhand.page.PageIn;
import io.clockhand.policy.ClockHand;
import io.clockhand.workbench.advice.AdviceOptions;
import io.clockhand.workbench.options.AccessOptions;
import io.clockhand.workbench.options.CommaList;
import io.clockhand.workbench.options.CommonOptions;
import io.clockhand.workbench.options.OptionValues;
import io.clockhand.workbench.options.PolicyNames;
import io.clockhand.workbench.options.ThreadOptions;
import io.clockhand.workbench.options.TimeOptions;
import io.clockhand.workbench.options.Usage;
import io.clockhand.workbench.replay.driver.Io;
import io.clockhand.workbench.report.Cell;
import io.clockhand.workbench.workload.FormatChoice;
import io.clockhand.workbench.workload.TraceFormat;
import io.clockhand.workbench.workload.Workloads;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of {@code replay}. Runs are timed, or references are counted. */
final class Settings {
    /** How hit ratios of many threads on few processors are counted. */
    static final int COUNTED_INTERLEAVE = 16;

    static final long DEFAULT_ACCESSES = 6_000_000;
    static final long DEFAULT_WARMUP_ACCESSES = 2_000_000;

    private static final int MOST_FRAMES = 1 << 26;
    private static final int MOST_SPREAD = 1000;
    private static final long MOST_PAGES = 1L << 40;

    @Option(
            names = "--policies",
            paramLabel = "NAME,…",
            split = PolicyNames.COMMA,
            splitSynopsisLabel = ",",
            converter = Choices.OfPolicies.class,
            completionCandidates = Choices.OfPolicies.class,
            description = "${COMPLETION-CANDIDATES}, also with parameters as in simulate (default:"
                    + " lru,nb-gclock3). The first is what others are compared with.")
    private List<String> policies = CommaList.of("lru", "nb-gclock3");

    @Option(
            names = "--hand",
            paramLabel = "NAME,…",
            split = ",",
            converter = Choices.OfHands.class,
            completionCandidates = Choices.OfHands.class,
            description = "How policies with a clock hand move it, others ignore it: ${COMPLETION-CANDIDATES} (default:"
                    + " batched).")
    private List<ClockHand> hand = List.of(ClockHand.DEFAULT);

    @Option(
            names = "--page-in",
            paramLabel = "NAME,…",
            split = ",",
            converter = Choices.OfPageIns.class,
            completionCandidates = Choices.OfPageIns.class,
            description = "How a thread behaves that needs a page while another one reads it: ${COMPLETION-CANDIDATES}"
                    + " (default: coalesced).")
    private List<PageIn> pageIn = List.of(PageIn.DEFAULT);

    @Mixin
    private ThreadOptions threads = new ThreadOptions(CommaList.of(1, 8));

    @Option(
            names = "--frames",
            paramLabel = "N,…",
            split = ",",
            description = "How many pages the pool holds; a list makes a run for each (default: 4096,16384).")
    private List<Integer> frames = CommaList.of(4096, 16_384);

    @Option(
            names = "--page-bytes",
            paramLabel = "N",
            description = "A power of two from 512 to 65536 (default: ${DEFAULT-VALUE}).")
    private int pageBytes = 4096;

    @Option(
            names = "--file-pages",
            paramLabel = "N",
            description =
                    "Pages of the file (default: as many as the keys need); uniform draws all keys that fit into it"
                            + " (default: 50,000).")
    private Long filePages;

    @Option(
            names = "--file",
            paramLabel = "DIR",
            description =
                    "Keeps the data file there for the next time (default: it is made anew in --out, and deleted).")
    private Path file;

    @Option(
            names = "--workload",
            paramLabel = "NAME,…",
            split = ",",
            converter = Choices.OfWorkloads.class,
            completionCandidates = Choices.OfWorkloads.class,
            description = "${COMPLETION-CANDIDATES} (default: paper80); see below.")
    private List<String> workload = List.of("paper80");

    @Option(
            names = "--format",
            paramLabel = "NAME",
            converter = FormatChoice.class,
            completionCandidates = FormatChoice.class,
            description = "Of the traces: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private String format = FormatChoice.AUTO;

    @Option(
            names = "--spread",
            paramLabel = "1|80",
            description = "Key k lies on page SPREAD x k; the paper's benchmark has 80 (default: ${DEFAULT-VALUE}).")
    private int spread = 1;

    @Option(
            names = "--io",
            paramLabel = "NAME,…",
            split = ",",
            converter = Choices.OfIos.class,
            completionCandidates = Choices.OfIos.class,
            description = "cached reads a file through the operating system's page cache, direct bypasses it, memory"
                    + " generates pages; a list makes a run for each (default: memory).")
    private List<Io> io = List.of(Io.MEMORY);

    @Option(
            names = "--interleave",
            paramLabel = "N",
            description = "Each of several threads yields after N references, 0 for never: without it time slices raise"
                    + " the hit ratios of many threads on few processors (default: 16 where hits are counted, 0"
                    + " where time is measured).")
    private Integer interleave;

    @Mixin
    private WriteOptions writes = new WriteOptions();

    @Mixin
    private AdviceOptions advice = new AdviceOptions();

    @Mixin
    private AccessOptions accesses = new AccessOptions();

    @Mixin
    private TimeOptions times = new TimeOptions(3, 0.15);

    @Mixin
    private CommonOptions common = new CommonOptions();

    /** Refuses wrong values, and fills in the defaults that depend on others. */
    void check(Usage usage) {
        usage.requireOnce("--hand", "a hand", hand);
        usage.requireOnce("--page-in", "a way", pageIn);
        usage.requireOnce("--workload", "a workload", workload);
        usage.requireOnce("--io", "a store", io);
        threads.check(usage);
        usage.requireEach("--frames", frames, MOST_FRAMES);
        requirePageBytes(usage);
        usage.requireWithin("--spread", spread, 1, MOST_SPREAD);
        requireFilePages(usage);
        advice.check(usage);
        times.check(usage, policies);
        accesses.check(usage);
        times.checkAgainst(accesses, usage);
        usage.require(interleave == null || interleave >= 0, "--interleave must not be negative, not " + interleave);
        fill(usage);
        writes.check(usage, workload.stream().anyMatch(Workloads::isTrace), isTimed());
    }

    private void requirePageBytes(Usage usage) {
        try {
            FilePageStore.checkPageBytes(pageBytes);
        } catch (IllegalArgumentException e) {
            throw usage.wrong("--page-bytes: " + e.getMessage());
        }
    }

    private void requireFilePages(Usage usage) {
        if (filePages == null) {
            return;
        }
        usage.requireWithin("--file-pages", filePages, 1, MOST_PAGES);
        usage.require(
                filePages / spread < Integer.MAX_VALUE,
                "--file-pages must be less, or --spread greater: over 2^31 keys would fit");
        long needed = (long) (Workloads.defaultKeys() - 1) * spread + 1;
        boolean fixed = workload.stream().anyMatch(name -> !Workloads.hasEnd(name) && !Workloads.hasAnyKeys(name));
        usage.require(
                !fixed || filePages >= needed,
                "--file-pages must be at least " + needed + " for the keys of this workload, not " + filePages);
    }

    /** Workloads with an end are counted unless a time is typed, others are timed unless a count is typed. */
    private void fill(Usage usage) {
        boolean traces = workload.stream().anyMatch(Workloads::hasEnd);
        boolean timed = times.isTyped(usage) || !(accesses.isTyped() || traces);
        if (!timed) {
            times.clear();
            if (!traces) {
                accesses.fill(DEFAULT_ACCESSES, DEFAULT_WARMUP_ACCESSES);
            }
        }
        interleave = interleave != null ? interleave : timed ? 0 : COUNTED_INTERLEAVE;
    }

    /** How many JVMs live at once. */
    int contendersAtOnce() {
        return isTimed() ? contenders().size() : 1;
    }

    boolean isTimed() {
        return times.isTimed();
    }

    TimeOptions times() {
        return times;
    }

    WriteOptions writes() {
        return writes;
    }

    AdviceOptions advice() {
        return advice;
    }

    AccessOptions accesses() {
        return accesses;
    }

    List<Contender> contenders() {
        return Contender.all(policies, hand, pageIn);
    }

    /**
     * Every workload from every kind of store, with every number of frames and threads, by groups that are compared.
     */
    List<List<Cell<Setting, Contender>>> plan() {
        List<Setting> settings = new ArrayList<>();
        for (String name : workload) {
            for (Io store : io) {
                for (int size : frames) {
                    threads.threads().forEach(count -> settings.add(new Setting(count, size, name, store)));
                }
            }
        }
        return Cell.plan(settings, contenders(), times.repeat());
    }

    /** The references after which a thread yields; 0 for never. */
    int interleave() {
        return interleave;
    }

    /** Of runs that are counted, also of those that belong to a timed one. */
    int countedInterleave() {
        return isTimed() && interleave == 0 ? COUNTED_INTERLEAVE : interleave;
    }

    int mostFrames() {
        return Collections.max(frames);
    }

    int mostThreads() {
        return threads.most();
    }

    int pageBytes() {
        return pageBytes;
    }

    /** Null for as many as the keys of the workload need. */
    Long filePages() {
        return filePages;
    }

    /** The directory of data files that stay; null for a temporary one. */
    Path file() {
        return file;
    }

    List<String> workloads() {
        return workload;
    }

    /** Null to find out. */
    TraceFormat format() {
        return FormatChoice.format(format);
    }

    int spread() {
        return spread;
    }

    List<Io> ios() {
        return io;
    }

    long seed() {
        return common.seed();
    }

    Path out() {
        return common.out();
    }

    /** How many keys a workload has that may have any number of them: all that fit into the file. */
    int keysToDraw() {
        return filePages == null ? Workloads.defaultKeys() : (int) ((filePages + spread - 1) / spread);
    }

    Map<String, Object> asOptions() {
        Map<String, Object> options = OptionValues.of(this);
        options.put("countedInterleave", countedInterleave());
        return options;
    }
}
