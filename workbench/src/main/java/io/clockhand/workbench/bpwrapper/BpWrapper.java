// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.bpwrapper;

import io.clockhand.policy.Policies;
import io.clockhand.workbench.bpwrapper.Trial.RunAnswer;
import io.clockhand.workbench.bpwrapper.Trial.RunAnswer.Counted;
import io.clockhand.workbench.environment.Environment;
import io.clockhand.workbench.experiment.Experiment;
import io.clockhand.workbench.experiment.Launch;
import io.clockhand.workbench.experiment.Order;
import io.clockhand.workbench.experiment.Run;
import io.clockhand.workbench.experiment.Timing;
import io.clockhand.workbench.experiment.Workplace;
import io.clockhand.workbench.experiment.options.AccessOptions;
import io.clockhand.workbench.experiment.options.Choice;
import io.clockhand.workbench.experiment.options.CommaList;
import io.clockhand.workbench.experiment.options.PolicyNames;
import io.clockhand.workbench.experiment.options.ThreadOptions;
import io.clockhand.workbench.experiment.options.TimeOptions;
import io.clockhand.workbench.experiment.options.Usage;
import io.clockhand.workbench.experiment.report.Column;
import io.clockhand.workbench.experiment.report.Figures;
import io.clockhand.workbench.experiment.report.Report;
import io.clockhand.workbench.experiment.report.Results;
import io.clockhand.workbench.pages.Memory;
import io.clockhand.workbench.pages.driver.Counting;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code bp-wrapper}. Runs are timed, or references are counted. */
@Command(
        name = "bp-wrapper",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        description = """
            Shows how often threads take the lock of a list policy, how often they have to wait for it, and what that \
            costs: under a plain lock, with BP-Wrapper and its parts, and with the library's form of it. Each run has \
            a page pool and a JVM of its own. Every page that is fixed is checked to be the right one.""",
        footer = """

            Forms: plain takes the lock for each hit; prefetch reads the data that a hit will change before it takes \
            the lock; batch queues hits and takes the lock for many; both is BP-Wrapper as published; modern is the \
            library's form, in which no hit waits and some are lost, with queues of 64, a threshold of 32, and misses \
            that look at the lock for a while before they park; spin is plain with waiters that spin. The first is \
            what others are compared with.

            Streams are of the kind of the paper's, on 8,192 pages, and not the benchmarks themselves: dbt2 makes the \
            page references of TPC-C's five transactions, dbt1 those of a bookstore as TPC-W's, table-scan has each \
            thread read one table from its first page to its last, over and over. Every thread draws its own.

            Misses: all pages are in the pool before the warm-up, so nothing misses unless --miss-percent says so. \
            Then the stream has a quarter of the pages, and that percentage of references go to a new page, which \
            never comes again. These drive out others that miss later: hitRatio counts all.

            A timed run (--seconds) has its statistics off and the locks of production; its counts come from a run an \
            eighth as long under a lock that counts. A counted one (--accesses) measures no time.\
            """)
public final class BpWrapper extends Experiment<BpWrapper.Setting, Contender, RunAnswer> {
    @Option(
            names = "--forms",
            paramLabel = "NAME,…",
            split = ",",
            description = "${COMPLETION-CANDIDATES} (default: all but spin).")
    private List<Form> forms = List.of(Form.PLAIN, Form.PREFETCH, Form.BATCH, Form.BOTH, Form.MODERN);

    @Option(
            names = "--policies",
            paramLabel = "NAME,…",
            split = PolicyNames.COMMA,
            splitSynopsisLabel = ",",
            converter = PolicyChoice.class,
            completionCandidates = PolicyChoice.class,
            description = "${COMPLETION-CANDIDATES}; also with parameters in parentheses, as in 2q(in=0.3,out=0.6); a"
                    + " list makes a run for each (default: 2q).")
    private List<String> policies = List.of("2q");

    @Mixin
    private ThreadOptions threads = new ThreadOptions(CommaList.of(8));

    @Option(
            names = "--queue-size",
            paramLabel = "N,…",
            split = ",",
            description = "Hits that a queue holds, of batch and both; a list makes a run for each (default: 64).")
    private List<Integer> queueSize = List.of(64);

    @Option(
            names = "--threshold",
            paramLabel = "N|half,…",
            split = ",",
            description = "Hits in a queue from which on its thread tries the lock, of batch and both, or half for half"
                    + " of each queue; a list makes a run for each (default: half).")
    private List<String> threshold = List.of(Contender.HALF);

    @Option(
            names = "--stream",
            paramLabel = "NAME,…",
            split = ",",
            description = "${COMPLETION-CANDIDATES}; see below; a list makes a run for each (default: dbt2).")
    private List<References> stream = List.of(References.DBT2);

    @Option(
            names = "--miss-percent",
            paramLabel = "P,…",
            split = ",",
            description = "Percentage of references that go to a new page; a list makes a run for each (default: 0).")
    private List<Double> missPercent = List.of(0.0);

    @Mixin
    private AccessOptions accesses = new AccessOptions();

    public BpWrapper() {
        super(
                RunAnswer.class,
                new TimeOptions(3, 0.15),
                new Outline(
                        "BP-Wrapper: hits of a list policy, recorded under a lock",
                        "locks and hits",
                        "Every page fixed was the right one.",
                        "Not every run ended with right pages, see above."));
    }

    /** The settings that compared contenders have in common. */
    record Setting(String policy, int threads, References stream, double missPercent) {
        @Override
        public String toString() {
            return policy + ", " + Figures.counted(threads, "threads") + ", " + stream
                    + (missPercent == 0 ? "" : ", " + Figures.brief(missPercent) + " % misses");
        }
    }

    static final class PolicyChoice extends Choice<String> {
        PolicyChoice() {
            super("policy", Form.policies(), name -> name);
        }

        @Override
        protected String value(String name) {
            super.value(PolicyNames.plain(name));
            return Policies.normalized(name);
        }
    }

    @Override
    protected void check(Usage usage) {
        usage.requireOnce("--policies", "a policy", policies);
        threads.check(usage);
        checkQueues(usage);
        usage.requireOnce("--stream", "a stream", stream);
        usage.requireEachWithin("--miss-percent", "a share", missPercent, 0, 100);
        times().check(usage, forms.stream().map(Form::toString).toList());
        accesses.check(usage);
        times().checkAgainst(accesses, usage);
        if (accesses.isTyped()) {
            times().clear();
            accesses.fill(4_000_000, 1_000_000);
        }
    }

    private void checkQueues(Usage usage) {
        usage.requireEach("--queue-size", queueSize, 4096);
        threshold.forEach(typed -> usage.require(
                typed.equals(Contender.HALF) || typed.matches("[1-9][0-9]{0,3}"),
                "--threshold must lie in 1 … 4096, or be half, not " + typed));
        usage.requireOnce("--threshold", "a number", threshold);
        for (Contender each : contenders()) {
            usage.require(
                    !each.form().hasQueues() || each.threshold() <= each.queueSize(),
                    "threshold " + each.threshold() + " is greater than queue size " + each.queueSize());
        }
    }

    @Override
    protected List<Setting> settings() {
        return cross(
                stream,
                missPercent,
                policies,
                threads.threads(),
                (references, misses, policy, count) -> new Setting(policy, count, references, misses));
    }

    @Override
    protected List<Contender> contenders() {
        return Contender.all(forms, queueSize, threshold);
    }

    @Override
    protected int counters(Setting setting) {
        return setting.threads();
    }

    @Override
    protected List<String> prepare(Workplace workplace) {
        return Memory.of(Trial.FRAMES, Trial.PAGE_BYTES, threads.most(), 0, contendersAtOnce(), Environment.memory())
                .jvmFlags();
    }

    @Override
    protected Order<RunAnswer> timedOrder(Launch<Setting, Contender> launch) {
        return new Trial(launch.contender(), launch.setting(), seed(), launch.timing(), null, false);
    }

    @Override
    protected Order<RunAnswer> countedOrder(Launch<Setting, Contender> launch, Run<Setting, Contender, RunAnswer> run) {
        Timing timing = isTimed() ? Timing.alone(times().warmup(), shorterSeconds()) : null;
        Counting counting = isTimed() ? null : new Counting(accesses.warmupAccesses(), accesses.accesses());
        return new Trial(launch.contender(), launch.setting(), seed(), timing, counting, true);
    }

    @Override
    protected List<Column<Run<Setting, Contender, RunAnswer>>> columns(List<Run<Setting, Contender, RunAnswer>> runs) {
        List<Column<Run<Setting, Contender, RunAnswer>>> columns = new ArrayList<>(List.of(
                contender("form", contender -> contender.form().toString()),
                setting("policy", Setting::policy),
                setting("threads", Setting::threads).inWords("%s threads"),
                contender("queueSize", Contender::queueSize).as("queue", "%s").inWords("queue size %s"),
                contender("threshold", Contender::threshold).inWords("threshold %s"),
                setting("stream", setting -> setting.stream().toString()),
                setting("missPercent", Setting::missPercent).as("miss %", "%s").inWords("%s %% misses"),
                repeat(),
                counted("accesses", answer -> answer.counted().accesses()),
                rate("ops/s"),
                perMillion("lockAcquisitionsPerMillion", Counted::lockAcquisitions)
                        .as("locks/M", "%,.0f"),
                perMillion("contentionsPerMillion", Counted::contentions).as("contentions/M", "%,.1f"),
                perMillion("failedTriesPerMillion", Counted::failedTries).as("failed tries/M", "%,.1f"),
                perMillion("recordedHitsPerMillion", Counted::recordedHits).as("recorded hits/M", "%,.0f"),
                counted("hitRatio", answer -> answer.counted().hitRatio())
                        .asPercent("hits %")
                        .inSummary()));
        latencies(answer -> answer.timed().latencyMicros()).forEach(column -> columns.add(column.onlyOfRuns()));
        columns.add(wrongPages());
        columns.add(valid());
        return columns;
    }

    private Column<Run<Setting, Contender, RunAnswer>> perMillion(String field, ToLongFunction<Counted> count) {
        return counted(
                        field,
                        answer -> 1e6
                                * count.applyAsLong(answer.counted())
                                / answer.counted().accesses())
                .inSummary();
    }

    @Override
    protected void addTo(Report report, Results<Run<Setting, Contender, RunAnswer>> results) {
        List<String> fields = severalOrThreads("threads", "missPercent", "queueSize", "threshold");
        if (isTimed()) {
            addLines(report, "Throughput", fields, "operationsPerSecond", "operations/s", false);
            addRatios(report, "times the baseline's throughput");
        }
        addLines(report, "Lock acquisitions", fields, "lockAcquisitionsPerMillion", "per million references", true);
        addLines(report, "Contentions", fields, "contentionsPerMillion", "per million references", true);
    }

    @Override
    protected List<String> notes(List<Run<Setting, Contender, RunAnswer>> runs) {
        List<String> sentences = new ArrayList<>();
        sentences.add("A pool has 8,192 pages. A contention is a request for the lock that had to wait.");
        if (isTimed()) {
            sentences.add("Locks and hits are counted in a separate run, under a lock that counts; where threads are"
                    + " timed, nothing is counted. A closed loop of threads.");
        }
        if (missPercent.stream().anyMatch(percent -> percent > 0)) {
            sentences.add("A missed page is generated: no I/O is in the figures.");
        }
        if (forms.contains(Form.MODERN)) {
            sentences.add("The lossy hit buffer has queues of 64 hits and a threshold of 32, with any options.");
        }
        return sentences;
    }

    @Override
    protected List<String> conclusion(Results<Run<Setting, Contender, RunAnswer>> results, int cores, boolean good) {
        List<String> lines = new ArrayList<>(comparison(results).sentences());
        lines.addAll(ifMore(
                threads.most(),
                cores,
                "with more threads a lock is contended when its holder is suspended, and runs show how well threads"
                        + " take turns, not how a form scales."));
        return lines;
    }
}
