// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.sharedupdate;

import io.clockhand.wal.WideLsn;
import io.clockhand.workbench.experiment.Experiment;
import io.clockhand.workbench.experiment.Launch;
import io.clockhand.workbench.experiment.Order;
import io.clockhand.workbench.experiment.Run;
import io.clockhand.workbench.experiment.Timing;
import io.clockhand.workbench.experiment.Workplace;
import io.clockhand.workbench.experiment.options.Choice;
import io.clockhand.workbench.experiment.options.CommaList;
import io.clockhand.workbench.experiment.options.ThreadOptions;
import io.clockhand.workbench.experiment.options.TimeOptions;
import io.clockhand.workbench.experiment.options.Usage;
import io.clockhand.workbench.experiment.report.Cell;
import io.clockhand.workbench.experiment.report.Chart;
import io.clockhand.workbench.experiment.report.Column;
import io.clockhand.workbench.experiment.report.Figures;
import io.clockhand.workbench.experiment.report.Report;
import io.clockhand.workbench.experiment.report.Results;
import io.clockhand.workbench.experiment.report.Results.Line;
import io.clockhand.workbench.pages.Memory;
import io.clockhand.workbench.sharedupdate.driver.CpuLoop;
import io.clockhand.workbench.sharedupdate.driver.Log.LogCost;
import io.clockhand.workbench.sharedupdate.driver.Protocol;
import io.clockhand.workbench.sharedupdate.driver.Rows;
import io.clockhand.workbench.sharedupdate.driver.Rows.RowLayout;
import io.clockhand.workbench.sharedupdate.driver.Trial;
import io.clockhand.workbench.sharedupdate.driver.Trial.Load;
import io.clockhand.workbench.sharedupdate.driver.Trial.RunAnswer;
import io.clockhand.workbench.sharedupdate.driver.Trial.Setting;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code shared-update}. */
@Command(
        name = "shared-update",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        description = """
            Shows what it is worth that threads update rows of one page at the same time, under a shared latch, \
            instead of one after the other under an exclusive one. Each thread updates rows of its own and appends a \
            log record for each. Afterwards every row and the page's LSN are checked.""",
        footer = """

            Loads: rows has each thread update rows of its own in one page. allocate has each allocate eight pages and \
            free them, over and over, by a free-space map whose bytes for them lie in one page: in a pool without \
            shared updates (exclusive-latch), and with them (shared).

            Protocols: shared is the library's, fix, prepare, append, change, dirty, close, on a page of a pool. \
            exclusive-lock and exclusive-spin are as strong as an exclusive protocol can be: they look the page up in \
            a pool without an atomic operation, take a lock whose waiters park or spin, and under it only append the \
            record and make the change, by plain stores. Where both are run, others are compared with \
            exclusive-best: the better of the two with that of the numbers of threads that suits it best. \
            exclusive-latch is the library's own exclusive latch, for --load allocate.

            Logs: every append adds to the end of the log, one atomic operation, and then, without any lock, cpu:1us \
            computes for a microsecond and wait:20us parks for 20 µs, in fact longer; logMicros tells for how long. \
            file writes to a file under the log's lock: such a log is the bottleneck itself, and no protocol gains. \
            Where threads wait, contenders run alone, one after the other; else in turn.

            Layouts: padded gives each thread 128 bytes that no other writes to, interleaved has the rows of the \
            threads next to each other, so that they write to the same lines of the processor's cache.""")
public final class SharedUpdate extends Experiment<Setting, SharedUpdate.Contender, RunAnswer> {
    private static final List<Protocol> ALLOCATING = List.of(Protocol.EXCLUSIVE_LATCH, Protocol.SHARED);
    private static final String BEST = "exclusive-best";
    private static final String RATE = "updatesPerSecond";
    private static final double MILLION = 1_000_000;

    @Option(
            names = "--load",
            paramLabel = "NAME",
            description = "${COMPLETION-CANDIDATES}; see below (default: ${DEFAULT-VALUE}).")
    private Load load = Load.ROWS;

    @Option(
            names = "--protocols",
            paramLabel = "NAME,…",
            split = ",",
            description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}; exclusive-latch,shared with --load"
                    + " allocate).")
    private List<Protocol> protocols = CommaList.of(Protocol.EXCLUSIVE_LOCK, Protocol.EXCLUSIVE_SPIN, Protocol.SHARED);

    @Mixin
    private ThreadOptions threads = new ThreadOptions(CommaList.of(1, 2, 4));

    @Option(
            names = "--row-layout",
            paramLabel = "NAME,…",
            split = ",",
            description = "${COMPLETION-CANDIDATES}; a list makes a run for each (default: ${DEFAULT-VALUE}).")
    private List<RowLayout> rowLayout = CommaList.of(RowLayout.PADDED);

    @Option(
            names = "--row-bytes",
            paramLabel = "N,…",
            split = ",",
            description = "Size of a row: 1, 2, 4 or 8; a list makes a run for each (default: ${DEFAULT-VALUE}).")
    private List<Integer> rowBytes = CommaList.of(Long.BYTES);

    @Option(
            names = "--log",
            paramLabel = "cpu:Tus|wait:Tus|file,…",
            split = ",",
            converter = LogChoice.class,
            description = "Cost of an append, see below; a list makes a run for each (default: ${DEFAULT-VALUE};"
                    + " wait:20us with --load allocate).")
    private List<LogCost> log = CommaList.of(LogCost.parse("cpu:1us"));

    @Option(
            names = "--page-lsn",
            paramLabel = "N,…",
            split = ",",
            description = "Bytes of the page's LSN: 8, or 10 as some engines have them; a list makes a run for each"
                    + " (default: ${DEFAULT-VALUE}).")
    private List<Integer> pageLsn = CommaList.of(Long.BYTES);

    private double stepsPerMicro;

    public SharedUpdate() {
        super(
                RunAnswer.class,
                new TimeOptions(3, 0.15),
                new Outline(
                        "Rows of one page, updated by many threads",
                        "waits",
                        "Every page was right in the end.",
                        "Not every run ended with a right page, see above."));
    }

    /**
     * A protocol with a number of threads: the best exclusive one is found among those of all numbers.
     *
     * @param bestOf the contender that is the best exclusive one; null for one that is run
     */
    record Contender(Protocol protocol, int threads, Contender bestOf) {
        Contender(Protocol protocol, int threads) {
            this(protocol, threads, null);
        }

        private String protocolName() {
            return bestOf == null ? protocol.toString() : BEST;
        }

        @Override
        public String toString() {
            return protocolName() + ", " + Figures.counted(threads, "threads");
        }
    }

    /** A cost such as {@code cpu:0.4us}. */
    static final class LogChoice extends Choice<LogCost> {
        LogChoice() {
            super("log", List.of(), LogCost::toString);
        }

        @Override
        protected LogCost value(String typed) {
            return LogCost.parse(typed);
        }
    }

    @Override
    protected void check(Usage usage) {
        if (allocates()) {
            fillForAllocations(usage);
        } else {
            usage.require(
                    !protocols.contains(Protocol.EXCLUSIVE_LATCH),
                    "--protocols exclusive-latch is for --load allocate: exclusive-lock and exclusive-spin are faster");
        }
        usage.requireOnce("--protocols", "a protocol", protocols);
        threads.check(usage, allocates() ? ThreadOptions.MOST_THREADS : Rows.MOST_THREADS);
        usage.requireOnce("--row-layout", "a layout", rowLayout);
        requireOf(usage, "--row-bytes", rowBytes, List.of(Byte.BYTES, Short.BYTES, Integer.BYTES, Long.BYTES));
        requireOf(usage, "--page-lsn", pageLsn, List.of(Long.BYTES, WideLsn.BYTES));
        usage.requireOnce("--log", "a log", log);
        List<String> baselines =
                new ArrayList<>(protocols.stream().map(Protocol::toString).toList());
        if (findsBest()) {
            baselines.add(BEST);
        }
        times().check(usage, baselines);
    }

    private boolean findsBest() {
        return protocols.containsAll(Protocol.CANDIDATES);
    }

    private boolean allocates() {
        return load == Load.ALLOCATE;
    }

    private void fillForAllocations(Usage usage) {
        for (String option : List.of("--row-layout", "--row-bytes", "--page-lsn")) {
            usage.require(!usage.isTyped(option), option + " is for --load rows: a free-space map has its own rows");
        }
        rowBytes = List.of(Byte.BYTES);
        protocols = usage.isTyped("--protocols") ? protocols : ALLOCATING;
        log = usage.isTyped("--log") ? log : List.of(LogCost.parse("wait:20us"));
        usage.require(
                ALLOCATING.containsAll(protocols),
                "--load allocate compares pools with and without shared updates: --protocols exclusive-latch,shared");
    }

    private static void requireOf(Usage usage, String option, List<Integer> values, List<Integer> possible) {
        usage.require(possible.containsAll(values), option + " must be one of " + possible + ", not " + values);
        usage.requireOnce(option, "a number", values);
    }

    @Override
    protected List<Setting> settings() {
        return cross(
                log,
                rowLayout,
                rowBytes,
                pageLsn,
                (cost, layout, bytes, lsn) -> new Setting(load, cost, allocates() ? null : layout, bytes, lsn));
    }

    @Override
    protected List<Contender> contenders() {
        return protocols.stream()
                .flatMap(protocol -> threads.threads().stream().map(count -> new Contender(protocol, count)))
                .toList();
    }

    @Override
    protected int counters(Setting setting) {
        return threads.most();
    }

    @Override
    protected boolean takesTurns(Setting setting) {
        return !setting.logCost().waits();
    }

    @Override
    protected List<String> prepare(Workplace workplace) {
        stepsPerMicro = CpuLoop.stepsPerMicro(); // once, so that all contenders compute the same
        return new Memory(128 << 20, 64 << 20).jvmFlags(); // a page takes little
    }

    @Override
    protected Order<RunAnswer> timedOrder(Launch<Setting, Contender> launch) {
        return order(launch, launch.timing(), false);
    }

    /** With all threads from the beginning; counts. */
    @Override
    protected Order<RunAnswer> countedOrder(Launch<Setting, Contender> launch, Run<Setting, Contender, RunAnswer> run) {
        return order(launch, Timing.alone(0, shorterSeconds()), true);
    }

    private Trial order(Launch<Setting, Contender> launch, Timing timing, boolean counts) {
        return new Trial(
                launch.setting(),
                launch.contender().protocol(),
                launch.contender().threads(),
                stepsPerMicro,
                launch.home().resolve("files").toAbsolutePath().toString(),
                timing,
                counts);
    }

    /**
     * Puts the best exclusive protocol of each setting before the runs, with each number of threads. The choice is made
     * by the same figures that are reported then, so chance favours it: no ratio to it is too high.
     */
    @Override
    protected List<Run<Setting, Contender, RunAnswer>> completed(List<Run<Setting, Contender, RunAnswer>> runs) {
        List<Run<Setting, Contender, RunAnswer>> all = new ArrayList<>();
        if (findsBest()) {
            settings()
                    .forEach(setting -> addBest(
                            runs.stream()
                                    .filter(run -> run.setting().equals(setting))
                                    .toList(),
                            all));
        }
        all.addAll(runs);
        return all;
    }

    private void addBest(List<Run<Setting, Contender, RunAnswer>> runs, List<Run<Setting, Contender, RunAnswer>> all) {
        Contender best = contenders().stream()
                .filter(contender -> Protocol.CANDIDATES.contains(contender.protocol()))
                .max(Comparator.comparingDouble(contender -> sum(contender, runs)))
                .orElseThrow();
        runs.stream().filter(run -> run.contender().equals(best)).forEach(run -> {
            for (int count : threads.threads()) {
                Contender contender = new Contender(best.protocol(), count, best);
                Cell<Setting, Contender> cell =
                        new Cell<>(run.setting(), contender, run.cell().repeat());
                all.add(new Run<>(cell, run.timed(), run.turns(), run.counted()));
            }
        });
    }

    /** Over the repeats, without those that failed. */
    private static double sum(Contender contender, List<Run<Setting, Contender, RunAnswer>> runs) {
        return runs.stream()
                .filter(run -> run.contender().equals(contender) && run.timed() != null)
                .mapToDouble(Run::operationsPerSecond)
                .sum();
    }

    @Override
    protected String title() {
        return allocates() ? "Pages allocated by many threads" : super.title();
    }

    @Override
    protected String rate() {
        return RATE;
    }

    @Override
    protected String operations() {
        return "updates";
    }

    @Override
    protected List<Column<Run<Setting, Contender, RunAnswer>>> columns(List<Run<Setting, Contender, RunAnswer>> runs) {
        return List.of(
                contender("protocol", Contender::protocolName),
                Column.<Run<Setting, Contender, RunAnswer>>setting(
                                "threads", run -> run.contender().threads())
                        .inWords("%s threads"),
                setting("log", setting -> setting.logCost().toString()).inWords("log %s"),
                setting("rowLayout", setting -> Objects.toString(setting.layout(), null))
                        .as("rows", "%s")
                        .inWords("%s rows"),
                setting("rowBytes", Setting::rowBytes).as("row bytes", "%s").inWords("rows of %s bytes"),
                setting("pageLsnBytes", Setting::pageLsnBytes)
                        .as("LSN bytes", "%s")
                        .inWords("an LSN of %s bytes"),
                repeat(),
                rate("updates/s"),
                counted("logMicros", answer -> answer.counted().logMicros())
                        .as("log µs", "%.2f")
                        .inSummary(),
                figure("secondsPerMillion", run -> secondsPerMillion(run.operationsPerSecond()))
                        .as("s for a million", "%.1f")
                        .inSummary(),
                counted("latchWaits", answer -> answer.counted().latchWaits()),
                counted("countedUpdates", answer -> answer.counted().operations()),
                counted("latchWaitsPerMillion", answer -> answer.counted().waitsPerMillion())
                        .as("latch waits/M", "%,.0f")
                        .inSummary(),
                counted("waitingThreads", answer -> answer.counted().waitingThreads())
                        .as("waiting threads", "%.1f")
                        .inSummary(),
                timed("cpuPercent", RunAnswer::cpuPercent).as("CPU %", "%.0f").inSummary(),
                figure("bestOf", run -> Objects.toString(run.contender().bestOf(), null)),
                valid());
    }

    private static Double secondsPerMillion(Double rate) {
        return rate == null || rate == 0 ? null : Double.valueOf(MILLION / rate);
    }

    @Override
    protected void addTo(Report report, Results<Run<Setting, Contender, RunAnswer>> results) {
        report.chart(Chart.lines("Throughput", "threads", RATE, "updates/s"));
        if (results.runs().stream().anyMatch(run -> run.turns() != null)) {
            addRatios(report, "times the throughput of " + results.baseline());
        }
        if (results.runs().stream().anyMatch(run -> run.timed(RunAnswer::cpuPercent) != null)) {
            report.chart(Chart.bars("Processor time", "threads", "cpuPercent", "% of all processors"));
        }
        if (allocates()) {
            report.chart(Chart.bars("Threads that wait for a latch", "threads", "waitingThreads", "on average"));
        }
        report.chart(Chart.lines("Latch waits", "threads", "latchWaitsPerMillion", "for a million updates"));
    }

    @Override
    protected List<String> notes(List<Run<Setting, Contender, RunAnswer>> runs) {
        List<String> sentences = new ArrayList<>();
        if (findsBest()) {
            sentences.add("exclusive-best is the better of exclusive-lock and exclusive-spin over all numbers of"
                    + " threads, the same for each number.");
        }
        sentences.add("Latch waits and the time of an append (median, with that of the clock) come from a shorter run,"
                + " in which they are counted. A closed loop of threads.");
        if (allocates()) {
            sentences.add("An update is an allocation or a free, by one page of a free-space map, in a pool without and"
                    + " with shared updates; latch waits are the pool's events.");
        }
        if (log.stream().anyMatch(LogCost::waits)) {
            sentences.add("Where the log waits, runs come one after the other, each alone; a ratio is that of one"
                    + " repeat.");
        }
        if (log.stream().anyMatch(cost -> cost.kind() == LogCost.Kind.FILE)) {
            sentences.add("A log that writes to a file under its lock is the bottleneck itself: expect no gain.");
        }
        return sentences;
    }

    @Override
    protected List<String> conclusion(Results<Run<Setting, Contender, RunAnswer>> results, int cores, boolean good) {
        List<String> lines = new ArrayList<>();
        results.runs().stream()
                .filter(run -> run.contender().bestOf() != null && run.cell().repeat() == 1 && run.timed() != null)
                .map(run -> String.format(
                        Locale.ROOT,
                        "The best exclusive one with %s: %s, %,.0f updates a second.",
                        run.setting(),
                        run.contender().bestOf(),
                        run.operationsPerSecond()))
                .distinct()
                .forEach(lines::add);
        lines.addAll(comparison(results).sentences());
        results.lines().stream()
                .filter(line -> line.ratio() == null && line.paired() != null)
                .map(line -> paired(line, results))
                .forEach(lines::add);
        return lines;
    }

    private static <R> String paired(Line<R> line, Results<R> results) {
        return String.format(
                Locale.ROOT,
                "%s against %s, one after the other: %.2f times the throughput with %s (%s).",
                line.contender(),
                results.baseline(),
                line.paired().median(),
                results.settingInWords(line.runs().get(0)),
                line.pairsInWords());
    }
}
