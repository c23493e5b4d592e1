// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.replay;

import io.clockhand.io.FilePageStore;
import io.clockhand.page.PageIn;
import io.clockhand.policy.ClockHand;
import io.clockhand.workbench.Usage;
import io.clockhand.workbench.environment.Installation;
import io.clockhand.workbench.replay.driver.Io;
import io.clockhand.workbench.workload.FormatChoice;
import io.clockhand.workbench.workload.Workloads;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code replay}: its options, and what is wrong with them. */
@Command(
        name = "replay",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        description =
                "Plays references to pages on the page pool: hit ratios, throughput and reads of each policy, each run with a"
                        + " pool and in a JVM of its own. Every page that is fixed is checked to be the right one.",
        footer = {
            "",
            "Workloads: paper80 and paper45 draw 50,000 keys after Zipf's law as the experiments of the Nb-GCLOCK paper do,"
                    + " paper80+scan adds a fifth of scans, uniform draws all keys alike, hot-page refers to one page only,"
                    + " tpcc:W makes 5,000,000 references to the pages of a TPC-C database of W warehouses, and trace:FILE plays a"
                    + " file, also one packed with gzip or xz. Page ids of a trace may be any 64 bits: they become keys in the order in which they first appear. Of T threads, thread t takes the references n with"
                    + " n mod T = t.",
            "",
            "Pages: key k lies on page SPREAD x k. The file has a page with content for each key, and one behind the last that"
                    + " says what the file is; with a spread over 1 the pages between are holes, which nobody reads. With io memory"
                    + " there is no file: pages are made up.",
            "",
            "Runs are timed or counted. A timed one (--seconds) has its statistics off; its hits and reads come from a shorter,"
                    + " counted run of the same kind. A counted one (--accesses) measures no time; with one thread its hits are"
                    + " the same every time. If neither is asked for, traces and tpcc:W are counted from their first reference to their last, and"
                    + " other workloads are timed for a second."
        })
public final class ReplayCommand implements Callable<Integer> {
    private static final int MOST_THREADS = 1000;
    private static final int MOST_FRAMES = 1 << 26;
    private static final int MOST_SPREAD = 1000;
    private static final long MOST_PAGES = 1L << 40;
    private static final int DEFAULT_SECONDS = 1;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--policies",
            paramLabel = "NAME,…",
            split = ",",
            converter = Choices.OfPolicies.class,
            completionCandidates = Choices.OfPolicies.class,
            description =
                    "${COMPLETION-CANDIDATES} (default: lru,nb-gclock3). The first is what others are compared with.")
    private List<String> policies = List.of("lru", "nb-gclock3");

    @Option(
            names = "--hand",
            paramLabel = "NAME,…",
            split = ",",
            converter = Choices.OfHands.class,
            completionCandidates = Choices.OfHands.class,
            description =
                    "How policies with a clock hand move it, others ignore it: ${COMPLETION-CANDIDATES} (default: batched).")
    private List<ClockHand> hands = List.of(ClockHand.DEFAULT);

    @Option(
            names = "--page-in",
            paramLabel = "NAME,…",
            split = ",",
            converter = Choices.OfPageIns.class,
            completionCandidates = Choices.OfPageIns.class,
            description = "What a thread does that needs a page which another one is reading: ${COMPLETION-CANDIDATES}"
                    + " (default: coalesced).")
    private List<PageIn> pageIns = List.of(PageIn.DEFAULT);

    @Option(
            names = "--threads",
            paramLabel = "N,…",
            split = ",",
            description = "A list makes a run for each (default: 1,8).")
    private List<Integer> threads = List.of(1, 8);

    @Option(
            names = "--frames",
            paramLabel = "N,…",
            split = ",",
            description = "How many pages the pool holds; a list makes a run for each (default: 4096,16384).")
    private List<Integer> frames = List.of(4096, 16_384);

    @Option(
            names = "--page-bytes",
            paramLabel = "N",
            description = "A power of two from 512 to 65536 (default: ${DEFAULT-VALUE}).")
    private int pageBytes = 4096;

    @Option(
            names = "--file-pages",
            paramLabel = "N",
            description =
                    "Pages of the file (default: as many as the keys need); uniform draws all keys that it has room for"
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
    private List<String> workloads = List.of("paper80");

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
            names = "--accesses",
            paramLabel = "N",
            description =
                    "Counts what so many references of all threads together do (default: 6,000,000, or a whole trace).")
    private Long accesses;

    @Option(
            names = "--warmup-accesses",
            paramLabel = "N",
            description = "References before those (default: 2,000,000, or none of a trace).")
    private Long warmupAccesses;

    @Option(names = "--seconds", paramLabel = "S", description = "Measures the throughput for so long (default: 1).")
    private Integer seconds;

    @Option(
            names = "--warmup",
            paramLabel = "S",
            description = "Seconds before those (default: 1); in their first half no more threads play than there are"
                    + " processors, so that the code is compiled.")
    private Integer warmup;

    @Option(
            names = "--io",
            paramLabel = "NAME,…",
            split = ",",
            converter = Choices.OfIos.class,
            completionCandidates = Choices.OfIos.class,
            description =
                    "cached reads a file through the operating system's page cache, direct past it, memory makes pages up;"
                            + " a list makes a run for each (default: memory).")
    private List<Io> ios = List.of(Io.MEMORY);

    @Option(
            names = "--interleave",
            paramLabel = "N",
            description =
                    "Each of several threads yields after so many references, 0 for never: without it time slices raise the hit"
                            + " ratios of many threads on few processors (default: 16 where hits are counted, 0 where time is measured).")
    private Integer interleave;

    @Option(
            names = {"--repeats", "--repeat"},
            paramLabel = "N",
            description = "Runs of each kind; a difference is claimed from five on (default: ${DEFAULT-VALUE}).")
    private int repeats = 1;

    @Option(names = "--seed", paramLabel = "N", description = "Of all that is drawn (default: ${DEFAULT-VALUE}).")
    private long seed = 1;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Gets replay.json, replay.csv and replay.html (default: ${DEFAULT-VALUE}).")
    private Path out = Path.of("clockhand-out");

    @Option(names = "--debug", description = "Show stack traces.")
    private boolean debug;

    @Override
    public Integer call() {
        validate();
        return new ReplayRuns(settings(), Installation.here(), System.out, System.err).run() ? 0 : 1;
    }

    private void validate() {
        Usage usage = new Usage(spec);
        usage.requireOnce("--policies", "a policy", policies);
        usage.requireOnce("--hand", "a hand", hands);
        usage.requireOnce("--page-in", "a way", pageIns);
        usage.requireOnce("--workload", "a workload", workloads);
        usage.requireOnce("--io", "a store", ios);
        usage.requireEach("--threads", threads, MOST_THREADS);
        usage.requireEach("--frames", frames, MOST_FRAMES);
        requirePageBytes(usage);
        usage.require(
                spread >= 1 && spread <= MOST_SPREAD, "--spread must lie in 1 … " + MOST_SPREAD + ", not " + spread);
        requireFilePages(usage);
        usage.requireLength(seconds, warmup, accesses, warmupAccesses);
        usage.require(interleave == null || interleave >= 0, "--interleave must not be negative, not " + interleave);
        usage.require(repeats >= 1, "--repeats must be at least 1, not " + repeats);
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
        usage.require(
                filePages >= 1 && filePages <= MOST_PAGES,
                "--file-pages must lie in 1 … " + MOST_PAGES + ", not " + filePages);
        usage.require(
                filePages / spread < Integer.MAX_VALUE,
                "--file-pages must be less, or --spread greater: there is room for over 2^31 keys");
        long needed = (long) (Workloads.defaultKeys() - 1) * spread + 1;
        boolean fixed = workloads.stream().anyMatch(name -> !Workloads.hasEnd(name) && !Workloads.hasAnyKeys(name));
        usage.require(
                !fixed || filePages >= needed,
                "--file-pages must be at least " + needed + " for the keys of this workload, not " + filePages);
    }

    private boolean asksForTime() {
        return seconds != null || warmup != null;
    }

    private boolean asksForCount() {
        return accesses != null || warmupAccesses != null;
    }

    private Settings settings() {
        boolean traces = workloads.stream().anyMatch(Workloads::hasEnd);
        boolean timed = asksForTime() || !(asksForCount() || traces);
        Long counted = accesses != null || traces ? accesses : Long.valueOf(Settings.DEFAULT_ACCESSES);
        Long before =
                warmupAccesses != null || traces ? warmupAccesses : Long.valueOf(Settings.DEFAULT_WARMUP_ACCESSES);
        return new Settings(
                policies,
                hands,
                pageIns,
                threads,
                frames,
                pageBytes,
                filePages,
                file,
                workloads,
                FormatChoice.format(format),
                spread,
                timed ? null : counted,
                timed ? null : before,
                timed ? Integer.valueOf(seconds == null ? DEFAULT_SECONDS : seconds) : null,
                timed ? Integer.valueOf(warmup == null ? DEFAULT_SECONDS : warmup) : null,
                ios,
                interleave != null ? interleave : timed ? 0 : Settings.COUNTED_INTERLEAVE,
                repeats,
                seed,
                out,
                debug);
    }
}
