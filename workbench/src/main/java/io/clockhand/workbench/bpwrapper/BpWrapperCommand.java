// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.bpwrapper;

import io.clockhand.workbench.Usage;
import io.clockhand.workbench.bpwrapper.driver.Form;
import io.clockhand.workbench.bpwrapper.driver.References;
import io.clockhand.workbench.environment.Installation;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code bp-wrapper}: its options, and what is wrong with them. */
@Command(
        name = "bp-wrapper",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        description =
                "Shows how often threads take the lock of a list policy, how often they have to wait for it, and what that costs:"
                        + " under a plain lock, with BP-Wrapper and its parts, and with the library's form of it. Each run has a page"
                        + " pool and a JVM of its own. Every page that is fixed is checked to be the right one.",
        footer = {
            "",
            "Forms: plain takes the lock for each hit; prefetch reads what a hit will change before it takes the lock;"
                    + " batch queues hits and takes the lock for many; both is BP-Wrapper as published; modern is the"
                    + " library's form, in which no hit waits and some are lost, with queues of 64, a threshold of 32, and misses that look"
                    + " at the lock for a while before they park; spin is plain with waiters that spin. The first is what others are"
                    + " compared with.",
            "",
            "Streams are of the kind of the paper's, on as many pages as the pool has frames, and not the benchmarks themselves: dbt2"
                    + " makes the page references of TPC-C's five transactions (a few very hot pages, customers and stock by its"
                    + " NURand, orders added at the end), dbt1 those of a bookstore as TPC-W's (items and authors after Zipf's law"
                    + " through B+-trees), table-scan has each thread read one table from its first page to its last, over and over."
                    + " Every thread draws its own references.",
            "",
            "Misses: all pages are in the pool before the warm-up, so nothing misses unless --miss-percent says so. Then the stream has a"
                    + " quarter of the pages, and so many of a hundred references go to a new page, which never comes again. These"
                    + " drive out others that miss later: hitRatio counts all. A page that is missed is made up, without I/O.",
            "",
            "Runs are timed or counted. A timed one (--seconds) has its statistics off and the locks of production; its counts come"
                    + " from a run as long under a lock that counts. A counted one (--accesses) measures no time."
        })
public final class BpWrapperCommand implements Callable<Integer> {
    private static final int MOST_THREADS = 1000;
    private static final int FEWEST_FRAMES = Settings.ROOM * References.FEWEST_PAGES;
    private static final int MOST_FRAMES = 1 << 24;
    private static final int MOST_QUEUE = 4096;
    private static final double PERCENT = 100;
    private static final int DEFAULT_SECONDS = 1;
    private static final int DEFAULT_THRESHOLD = 32;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--forms",
            paramLabel = "NAME,…",
            split = ",",
            converter = Choices.OfForms.class,
            completionCandidates = Choices.OfForms.class,
            description = "${COMPLETION-CANDIDATES} (default: all but spin).")
    private List<Form> forms = List.of(Form.PLAIN, Form.PREFETCH, Form.BATCH, Form.BOTH, Form.MODERN);

    @Option(
            names = "--policies",
            paramLabel = "NAME,…",
            split = ",",
            converter = Choices.OfPolicies.class,
            completionCandidates = Choices.OfPolicies.class,
            description = "${COMPLETION-CANDIDATES}; a list makes a run for each (default: 2q).")
    private List<String> policies = List.of("2q");

    @Option(
            names = "--threads",
            paramLabel = "N,…",
            split = ",",
            description = "A list makes a run for each (default: 8).")
    private List<Integer> threads = List.of(8);

    @Option(
            names = "--queue-size",
            paramLabel = "N,…",
            split = ",",
            description = "Hits that a queue holds, of batch and both; a list makes a run for each (default: 64).")
    private List<Integer> queueSizes = List.of(64);

    @Option(
            names = "--threshold",
            paramLabel = "N|half,…",
            split = ",",
            converter = Choices.OfThresholds.class,
            description =
                    "Hits in a queue from which on its thread tries the lock, of batch and both, or half for half of each"
                            + " queue; a list makes a run for each that is not greater than the queue (default: 32, or half if a queue is smaller).")
    private List<Integer> thresholds;

    @Option(
            names = "--stream",
            paramLabel = "NAME,…",
            split = ",",
            converter = Choices.OfStreams.class,
            completionCandidates = Choices.OfStreams.class,
            description = "${COMPLETION-CANDIDATES}; see below; a list makes a run for each (default: dbt2).")
    private List<References> streams = List.of(References.DBT2);

    @Option(
            names = "--miss-percent",
            paramLabel = "P,…",
            split = ",",
            description = "So many of a hundred references go to a new page; a list makes a run for each (default: 0).")
    private List<Double> missPercents = List.of(0.0);

    @Option(
            names = "--frames",
            paramLabel = "N",
            description = "How many pages the pool holds (default: ${DEFAULT-VALUE}).")
    private int frames = 8192;

    @Option(
            names = "--accesses",
            paramLabel = "N",
            description =
                    "Counts what so many references of all threads together do, and measures no time (default: 4,000,000).")
    private Long accesses;

    @Option(
            names = "--warmup-accesses",
            paramLabel = "N",
            description = "References before those (default: 1,000,000).")
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
            names = {"--repeats", "--repeat"},
            paramLabel = "N",
            description = "Runs of each kind; a difference is claimed from five on (default: ${DEFAULT-VALUE}).")
    private int repeats = 1;

    @Option(names = "--seed", paramLabel = "N", description = "Of all that is drawn (default: ${DEFAULT-VALUE}).")
    private long seed = 1;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Gets bp-wrapper.json, bp-wrapper.csv and bp-wrapper.html (default: ${DEFAULT-VALUE}).")
    private Path out = Path.of("clockhand-out");

    @Option(names = "--debug", description = "Show stack traces.")
    private boolean debug;

    @Override
    public Integer call() {
        validate();
        return new BpWrapperRuns(settings(), Installation.here(), System.out, System.err).run() ? 0 : 1;
    }

    private void validate() {
        Usage usage = new Usage(spec);
        usage.requireOnce("--forms", "a form", forms);
        usage.requireOnce("--policies", "a policy", policies);
        usage.requireEach("--threads", threads, MOST_THREADS);
        requireQueues(usage);
        usage.requireOnce("--stream", "a stream", streams);
        usage.require(
                missPercents.stream().allMatch(p -> p >= 0 && p <= PERCENT), "--miss-percent must lie in 0 … 100");
        usage.requireOnce("--miss-percent", "a share", missPercents);
        usage.require(
                frames >= FEWEST_FRAMES && frames <= MOST_FRAMES,
                "--frames must lie in " + FEWEST_FRAMES + " … " + MOST_FRAMES + ", not " + frames);
        usage.requireLength(seconds, warmup, accesses, warmupAccesses);
        usage.require(repeats >= 1, "--repeats must be at least 1, not " + repeats);
    }

    private void requireQueues(Usage usage) {
        usage.requireEach("--queue-size", queueSizes, MOST_QUEUE);
        if (thresholds == null) {
            boolean small = queueSizes.stream().anyMatch(size -> size < DEFAULT_THRESHOLD);
            thresholds = List.of(small ? Settings.HALF : DEFAULT_THRESHOLD);
        }
        usage.require(
                thresholds.stream().allMatch(n -> n == Settings.HALF || (n >= 1 && n <= MOST_QUEUE)),
                "--threshold must lie in 1 … " + MOST_QUEUE + ", or be half");
        usage.requireOnce("--threshold", "a number", thresholds);
        boolean possible =
                !Contender.all(List.of(Form.BOTH), queueSizes, thresholds).isEmpty();
        usage.require(
                possible || forms.stream().noneMatch(Form::hasQueues),
                "--threshold must not be greater than --queue-size: "
                        + String.join(", ", Contender.leftOut(queueSizes, thresholds)));
    }

    private Settings settings() {
        boolean counted = accesses != null || warmupAccesses != null;
        return new Settings(
                forms,
                policies,
                threads,
                queueSizes,
                thresholds,
                streams,
                missPercents,
                frames,
                counted ? Long.valueOf(accesses == null ? Settings.DEFAULT_ACCESSES : accesses) : null,
                counted
                        ? Long.valueOf(warmupAccesses == null ? Settings.DEFAULT_WARMUP_ACCESSES : warmupAccesses)
                        : null,
                counted ? null : Integer.valueOf(seconds == null ? DEFAULT_SECONDS : seconds),
                counted ? null : Integer.valueOf(warmup == null ? DEFAULT_SECONDS : warmup),
                repeats,
                seed,
                out,
                debug);
    }
}
