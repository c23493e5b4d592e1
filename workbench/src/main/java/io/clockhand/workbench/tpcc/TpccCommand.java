// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.tpcc;

import io.clockhand.workbench.Journal;
import io.clockhand.workbench.derby.Contender;
import io.clockhand.workbench.derby.DataSet;
import io.clockhand.workbench.derby.DerbyExperiment;
import io.clockhand.workbench.derby.DerbyProperties;
import io.clockhand.workbench.derby.DerbyProperties.Durability;
import io.clockhand.workbench.derby.Needs;
import io.clockhand.workbench.derby.Pool;
import io.clockhand.workbench.derby.driver.Loaded;
import io.clockhand.workbench.derby.driver.Recorded;
import io.clockhand.workbench.environment.Disk;
import io.clockhand.workbench.environment.Environment;
import io.clockhand.workbench.environment.Installation;
import io.clockhand.workbench.experiment.Launch;
import io.clockhand.workbench.experiment.Order;
import io.clockhand.workbench.experiment.Run;
import io.clockhand.workbench.experiment.Workplace;
import io.clockhand.workbench.options.AdviceOptions;
import io.clockhand.workbench.options.CommaList;
import io.clockhand.workbench.options.TimeOptions;
import io.clockhand.workbench.options.Usage;
import io.clockhand.workbench.report.Advised;
import io.clockhand.workbench.report.Chart;
import io.clockhand.workbench.report.Column;
import io.clockhand.workbench.report.Comparison;
import io.clockhand.workbench.report.Figures;
import io.clockhand.workbench.report.Grid;
import io.clockhand.workbench.report.Report;
import io.clockhand.workbench.report.Results;
import io.clockhand.workbench.tpcc.check.TableCheck;
import io.clockhand.workbench.tpcc.driver.LoadOrder;
import io.clockhand.workbench.tpcc.driver.RunAnswer;
import io.clockhand.workbench.tpcc.driver.RunAnswer.Percentiles;
import io.clockhand.workbench.tpcc.driver.RunOrder;
import io.clockhand.workbench.tpcc.load.Scale;
import io.clockhand.workbench.tpcc.transactions.Kind;
import io.clockhand.workbench.workload.TraceWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code tpcc}. */
@Command(
        name = "tpcc",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        description = """
            Runs TPC-C on an embedded Apache Derby, with Derby's own page cache and with Clockhand's, each run in its \
            own JVM and on its own copy of the data, and checks the data afterwards.""",
        footer = "Not an audited TPC-C result.")
public final class TpccCommand extends DerbyExperiment<TpccCommand.Setting, RunAnswer> {
    /** Its connection with twenty prepared statements, its latencies, and its share of a delivery worker. */
    private static final long HEAP_PER_TERMINAL = 3 << 19;
    /** For the sums of the check after the run. */
    private static final long HEAP_PER_WAREHOUSE = 4 << 20;
    /** The ending of traces in the format of recordings. */
    private static final String RECORDED = ".rw32be";
    /** The memory that a recording needs for a page. */
    private static final long HEAP_PER_RECORDED_PAGE = 160;

    private static final long HEAP_OF_RECORDING = 8 << 20;
    private static final int MOST_WAREHOUSES = 1000;

    // Needs of the command, on the safe side of a slow laptop.
    private static final long WAREHOUSE_BYTES = 150_000_000;
    private static final long WAREHOUSE_PAGES = 30_000;
    /** A run's log, and the rows it adds at a thousand new-orders a second. */
    private static final long LOG_BYTES = 100_000_000;

    private static final long BYTES_PER_SECOND = 2_000_000;
    private static final int LOAD_SECONDS_PER_WAREHOUSE = 12;
    private static final int RUN_SECONDS = 5;
    /** For Derby's check of the indexes, in the counted runs only. */
    private static final int INDEX_SECONDS_PER_WAREHOUSE = 5;

    @Option(
            names = "--warehouses",
            paramLabel = "N",
            description = "Scale, about 140 MB each (default: ${DEFAULT-VALUE}).")
    private int warehouses = 2;

    @Option(
            names = "--pool-percent",
            paramLabel = "P",
            description = "The page cache, as a share of the allocated pages"
                    + " of all tables and indexes (default: ${DEFAULT-VALUE}).")
    private Double poolPercent = 20.0;

    @Option(
            names = "--pool-pages",
            paramLabel = "N",
            description = "The page cache in pages, instead of --pool-percent.")
    private Integer poolPages;

    @Option(
            names = "--durability",
            paramLabel = "test|full",
            description = "Whether a commit waits for the disk (full) or not (default: ${DEFAULT-VALUE}).")
    private Durability durability = Durability.TEST;

    @Option(names = "--keying", description = "Key and think as slowly as people do (clause 5.2.5).")
    private boolean keying;

    @Option(
            names = "--record",
            paramLabel = "FILE",
            description = "Records the references to pages of a run with one cache and one number of terminals, for"
                    + " replay and simulate; a name that ends in .rw32be.")
    private Path record;

    @Option(
            names = "--least-new-orders",
            paramLabel = "N",
            description = "A run that counts hits, or is recorded, goes on until this number of new orders was entered"
                    + " (default: ${DEFAULT-VALUE}).")
    private long leastNewOrders;

    @Mixin
    private AdviceOptions advice = new AdviceOptions();

    /** Null for the standard one. */
    private final Scale otherScale;

    private Pool pool;

    public TpccCommand() {
        this(null);
    }

    /** The experiment on a database of another size. */
    TpccCommand(Scale otherScale) {
        super(
                RunAnswer.class,
                new TimeOptions(5, 0.3),
                new Outline(
                        "TPC-C on Apache Derby",
                        "hits",
                        "All twelve consistency conditions held after every run.",
                        "Not every run ended with all twelve consistency conditions intact, see above."),
                CommaList.of(1, 4));
        this.otherScale = otherScale;
    }

    /** The settings that compared contenders have in common. */
    record Setting(int terminals) {
        @Override
        public String toString() {
            return Figures.counted(terminals, "terminals");
        }
    }

    @Override
    protected void check(Usage usage) {
        usage.requireWithin("--warehouses", warehouses, 1, MOST_WAREHOUSES);
        usage.require(leastNewOrders >= 0, "--least-new-orders must not be negative, not " + leastNewOrders);
        advice.check(usage);
        times().check(usage, derby().names());
        Pool.checkPercent(usage, poolPercent);
        usage.require(
                poolPages == null || poolPages >= Pool.FEWEST_PAGES,
                "--pool-pages must be at least " + Pool.FEWEST_PAGES + ", Derby's least, not " + poolPages);
        usage.require(
                poolPages == null || !usage.isTyped("--pool-percent"),
                "--pool-percent and --pool-pages exclude each other");
        poolPercent = poolPages == null ? poolPercent : null;
        derby().check(usage, Installation.here());
        if (record != null) {
            usage.require(
                    derby().names().size() == 1 && derby().terminals().size() == 1,
                    "--record records a single run: name one cache by --caches and one number by --terminals");
            usage.require(
                    record.toString().endsWith(RECORDED),
                    "--record needs a file that ends in " + RECORDED + ", not " + record);
        }
    }

    @Override
    protected List<Setting> settings() {
        return derby().terminals().stream().map(Setting::new).toList();
    }

    @Override
    protected int counters(Setting setting) {
        return setting.terminals();
    }

    // --- the database ------------------------------------------------------------------------------------------------

    private Scale scale() {
        return otherScale != null ? otherScale : Scale.standard(warehouses, seed());
    }

    @Override
    protected DataSet.Content content() {
        return scale();
    }

    @Override
    protected Order<Loaded> loadOrder(String directory) {
        return new LoadOrder(directory, scale());
    }

    @Override
    protected Needs needs(boolean loaded) {
        int around = RUN_SECONDS + warehouses + times().warmup();
        int load = loaded ? 0 : 5 + LOAD_SECONDS_PER_WAREHOUSE * warehouses;
        int index = TableCheck.isAffordable(warehouses) ? INDEX_SECONDS_PER_WAREHOUSE * warehouses : 0;
        int runs = settings().size() * contenders().size();
        int seconds = load
                + runs * times().repeat() * (around + times().seconds())
                + runs * (around + countedSeconds() + index);
        return new Needs(seconds, databaseBytes(), contenders().size() * copyBytes());
    }

    private long databaseBytes() {
        return warehouses * WAREHOUSE_BYTES;
    }

    @Override
    protected long copyBytes() {
        return databaseBytes() + LOG_BYTES + (times().warmup() + times().seconds()) * (keying ? 0 : BYTES_PER_SECOND);
    }

    @Override
    protected long fewestPages() {
        return warehouses * WAREHOUSE_PAGES;
    }

    /** The longest that a child does without a report is to write back, recover and check the whole database. */
    @Override
    protected Duration patience() {
        return Duration.ofMinutes(10).plus(Duration.ofMinutes(warehouses));
    }

    @Override
    protected Pool largestPool(long allocatedPages) {
        return pool(allocatedPages, Environment.memory());
    }

    /** Fails, in one sentence, if the heap it needs is larger than the memory of the machine. */
    Pool pool(long allocatedPages, long memoryBytes) {
        return Pool.of(
                poolPages != null ? poolPages : Pool.share(poolPercent, allocatedPages),
                allocatedPages,
                derby().heap(),
                derby().mostTerminals() * HEAP_PER_TERMINAL
                        + warehouses * HEAP_PER_WAREHOUSE
                        + (record == null ? 0 : HEAP_OF_RECORDING + allocatedPages * HEAP_PER_RECORDED_PAGE),
                derby().names().size(),
                memoryBytes,
                (poolPages == null ? "--pool-percent" : "--pool-pages") + " or --warehouses");
    }

    @Override
    protected void sizePools(long allocatedPages, Journal journal) {
        pool = largestPool(allocatedPages);
        journal.say(String.format(
                Locale.ROOT,
                "The pool of %,d pages of 4 KiB is %.0f %% of the %,d pages loaded.",
                pool.pages(),
                100.0 * pool.pages() / allocatedPages,
                allocatedPages));
    }

    @Override
    protected List<String> prepare(Workplace workplace) {
        if (record != null) {
            Disk.requireWritable(record.toAbsolutePath().getParent(), "the recording");
            workplace.cleanUp().add(TraceWriter.part(record));
        }
        return super.prepare(workplace);
    }

    @Override
    protected String isolation() {
        return "SERIALIZABLE (Stock-Level: READ_COMMITTED)";
    }

    /** Without those that name the cache. */
    @Override
    protected Map<String, String> commonProperties() {
        return DerbyProperties.ofRun(
                Contender.of(Contender.DERBY),
                pool.pages(),
                durability,
                derby().names().size());
    }

    @Override
    protected Map<String, String> properties(Launch<Setting, Contender> launch) {
        Map<String, String> lines =
                DerbyProperties.ofRun(launch.contender(), pool.pages(), durability, launch.contenders());
        Map<String, String> all = isAdvised(launch) ? DerbyProperties.advised(advice.policies(), lines) : lines;
        return isRecorded(launch) ? DerbyProperties.recorded(launch.contender(), all) : all;
    }

    /** The run that counts hits: estimates do not slow down those that are measured. */
    private boolean isAdvised(Launch<Setting, Contender> launch) {
        return advice.policies() != null
                && launch.timing() == null
                && !launch.contender().isDerby()
                && launch.contender().jars().isEmpty();
    }

    /** The run that counts hits is recorded: recording does not slow down those that are measured. */
    private boolean isRecorded(Launch<Setting, Contender> launch) {
        return record != null && launch.timing() == null;
    }

    // --- runs --------------------------------------------------------------------------------------------------------

    @Override
    protected Order<RunAnswer> timedOrder(Launch<Setting, Contender> launch) {
        return order(launch, times().seconds(), seed() + launch.cell().repeat());
    }

    /** Once for each cache and number of terminals. */
    @Override
    protected boolean isCounted(Run<Setting, Contender, RunAnswer> run) {
        return run.cell().repeat() == 1;
    }

    @Override
    protected Order<RunAnswer> countedOrder(Launch<Setting, Contender> launch, Run<Setting, Contender, RunAnswer> run) {
        return order(launch, countedSeconds(), seed());
    }

    /**
     * Hits and I/O are counted in a shorter run, though not in less than three seconds if those are measured; but that
     * run is recorded, too, and then as long as the others.
     */
    private int countedSeconds() {
        return record != null ? times().seconds() : Math.max(Math.min(times().seconds(), 3), times().seconds() / 3);
    }

    private RunOrder order(Launch<Setting, Contender> launch, int seconds, long inputSeed) {
        boolean counted = launch.timing() == null;
        return new RunOrder(
                database(launch),
                scale(),
                launch.contender().required(pool.pages()),
                launch.setting().terminals(),
                times().warmup(),
                seconds,
                counted ? leastNewOrders : 0,
                keying,
                counted,
                inputSeed,
                counted ? null : launch.timing().slices(),
                DerbyProperties.hangSeconds(launch.contenders()),
                recording(launch),
                isRecorded(launch) ? record.toAbsolutePath().toString() : null,
                isAdvised(launch));
    }

    /** All repeats have the counts of the first. */
    @Override
    protected List<Run<Setting, Contender, RunAnswer>> completed(List<Run<Setting, Contender, RunAnswer>> runs) {
        return runs.stream()
                .map(run -> isCounted(run)
                        ? run
                        : runs.stream()
                                .filter(first -> isCounted(first)
                                        && first.cell().name().equals(run.cell().name())
                                        && first.setting().equals(run.setting()))
                                .findFirst()
                                .map(first -> new Run<>(run.cell(), run.timed(), run.turns(), first.counted()))
                                .orElse(run))
                .toList();
    }

    @Override
    protected List<String> remarks(Run<Setting, Contender, RunAnswer> run, RunAnswer answer) {
        List<String> lines = new ArrayList<>();
        if (answer.recorded() != null) {
            lines.add(inWords(answer.recorded()));
        }
        if (pool.wasFilling(answer.residentAtStart())) {
            lines.add(pool.filling(run.cell(), answer.residentAtStart()));
        }
        if (run.counted() != null) {
            return lines;
        }
        if (!pool.holds(answer.maxResidentPages())) {
            lines.add(pool.overfull(run.cell(), answer.maxResidentPages()));
        }
        if (answer.errors() != null && answer.errors() > 0 && answer.failure() == null) {
            lines.add("Warning: " + run.cell() + " gave up " + answer.errors() + " transactions.");
        }
        if (tpmC(run) != null) {
            lines.add(String.format(
                    Locale.ROOT, "  %s: %,.0f new-orders a minute", run.cell().name(), tpmC(run)));
        }
        return lines;
    }

    private String inWords(Recorded recorded) {
        return String.format(
                Locale.ROOT,
                "Recorded %,d references to %,d pages, %.1f %% of them writes: %s",
                recorded.references(),
                recorded.pages(),
                recorded.references() == 0 ? 0 : 100.0 * recorded.writes() / recorded.references(),
                record);
    }

    // --- figures -----------------------------------------------------------------------------------------------------

    /** New-orders a minute of the contender's own running time. */
    private static Double tpmC(Run<?, ?, RunAnswer> run) {
        return run.turns() == null
                ? run.timed(RunAnswer::tpmC)
                : Double.valueOf(60 * run.turns().standing().operationsPerSecond());
    }

    private static boolean isConsistent(Run<?, ?, RunAnswer> run) {
        return run.timed() != null
                && run.timed().broken() != null
                && run.timed().allHolds();
    }

    private boolean isWithinPool(Run<?, ?, RunAnswer> run) {
        return pool.holds(run.timed(RunAnswer::maxResidentPages));
    }

    /** Whether the run ended, every condition holds, and the cache kept to its pool. */
    @Override
    protected boolean isValid(Run<Setting, Contender, RunAnswer> run) {
        return isConsistent(run) && isWithinPool(run);
    }

    private static Boolean isEveryConditionTrue(RunAnswer answer) {
        return answer.consistency() == null ? null : !answer.consistency().containsValue(false);
    }

    private static String conditions(Run<?, ?, RunAnswer> run) {
        Map<Integer, Boolean> consistency = run.timed(RunAnswer::consistency);
        if (consistency == null) {
            return "not checked";
        }
        String broken = consistency.entrySet().stream()
                .filter(condition -> !condition.getValue())
                .map(condition -> condition.getKey().toString())
                .collect(Collectors.joining(", "));
        return broken.isEmpty() ? "1 – 12 hold" : "broken: " + broken;
    }

    private static Percentiles latency(RunAnswer answer, Kind kind) {
        return answer.latencyMicros() == null ? null : answer.latencyMicros().get(kind.jsonName());
    }

    private static Double perTransaction(RunAnswer counted, Long pages) {
        Long transactions = counted.transactions();
        return pages == null || transactions == null || transactions == 0 ? null : (double) pages / transactions;
    }

    // --- the report --------------------------------------------------------------------------------------------------

    @Override
    protected String rate() {
        return "tpmC";
    }

    @Override
    protected String lead() {
        return String.format(
                Locale.ROOT,
                "%s, pool of %,d pages, durability %s, %s, %s keying and think time, Derby %s",
                Figures.counted(warehouses, "warehouses"),
                pool.pages(),
                durability,
                super.lead(),
                keying ? "with" : "no",
                derby().derby());
    }

    @Override
    protected List<String> notes(List<Run<Setting, Contender, RunAnswer>> runs) {
        return List.of("Not an audited TPC-C result. Latencies are those of a closed loop of terminals, which hides"
                + " queueing; that of a delivery runs from its queueing to its end. In a duel only operations within"
                + " one slice count for latencies.");
    }

    @Override
    protected List<Column<Run<Setting, Contender, RunAnswer>>> columns(List<Run<Setting, Contender, RunAnswer>> runs) {
        List<Column<Run<Setting, Contender, RunAnswer>>> columns = new ArrayList<>(List.of(
                contender("cache", Contender::name),
                figure("warehouses", run -> warehouses),
                setting("terminals", Setting::terminals).inWords("%s terminals"),
                repeat(),
                figure("poolPages", run -> pool.pages()),
                figure("durability", run -> durability.toString()),
                figure("seconds", run -> times().seconds()),
                figure("tpmC", TpccCommand::tpmC).as("tpmC", "%,.0f").inSummary(),
                timed("transactions", RunAnswer::transactions)
                        .as("transactions", "%,.0f")
                        .onlyOfRuns(),
                timed("retries", RunAnswer::retries).as("retries", "%,.0f").added(),
                timed("errors", RunAnswer::errors).as("errors", "%,.0f").added(),
                counted("hitRatio", RunAnswer::hitRatio).asPercent("hits %").onlyInTables(),
                counted("readsPerTransaction", counted -> perTransaction(counted, counted.pageReads()))
                        .as("reads/tx", "%.3f")
                        .onlyInTables(),
                counted("writesPerTransaction", counted -> perTransaction(counted, counted.pageWrites()))
                        .as("writes/tx", "%.3f")
                        .onlyInTables(),
                timed("latencyMicros", RunAnswer::latencyMicros).onlyInJson()));
        for (Kind kind : Kind.values()) {
            columns.add(latency(kind, "P50", Percentiles::p50));
            columns.add(latency(kind, "P95", Percentiles::p95));
            columns.add(latency(kind, "P99", Percentiles::p99));
        }
        columns.addAll(List.of(
                timed("maxResidentPages", RunAnswer::maxResidentPages)
                        .as("max resident", "%,.0f")
                        .largest()
                        .badIf(run -> !isWithinPool(run)),
                valid(),
                timed("consistency", RunAnswer::consistency).onlyInJson(),
                timed("consistent", TpccCommand::isEveryConditionTrue).notInJson(),
                figure("conditions", TpccCommand::conditions)
                        .as("conditions", "%s")
                        .onlyOfRuns()
                        .onlyInTables()
                        .badIf(run -> !isConsistent(run))));
        return columns;
    }

    private Column<Run<Setting, Contender, RunAnswer>> latency(
            Kind kind, String percentile, Function<Percentiles, Long> part) {
        return timed(kind.jsonName() + percentile + "Micros", answer -> {
                    Percentiles latency = latency(answer, kind);
                    return latency == null ? null : part.apply(latency);
                })
                .notInJson();
    }

    @Override
    protected void addTo(Report report, Results<Run<Setting, Contender, RunAnswer>> results) {
        List<Run<Setting, Contender, RunAnswer>> counted = counted(results.runs());
        report.add("derbyProperties", commonProperties())
                .add("counted", counted.stream().map(this::countedJson).toList())
                .table(latencies(results.runs()))
                .chart(Chart.bars(
                        "New-orders a minute: medians, and every run as a point", "terminals", "tpmC", "tpmC"))
                .chart(Chart.bars(
                        "Ratio with its 95 % interval",
                        "terminals", "ratio", "times the baseline's new-orders a minute"));
        if (advice.policies() != null) {
            report.added(Advised.table(counted.stream().map(this::advised).toList()))
                    .chart(Chart.estimates(
                            "Estimated hit ratio by size",
                            "cache",
                            new Chart.Estimates("counted", "poolPages", "pages of the cache")));
        }
    }

    private List<Run<Setting, Contender, RunAnswer>> counted(List<Run<Setting, Contender, RunAnswer>> runs) {
        return runs.stream().filter(this::isCounted).toList();
    }

    private Map<String, Object> countedJson(Run<Setting, Contender, RunAnswer> run) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("cache", run.contender().name());
        fields.put("terminals", run.setting().terminals());
        fields.put("hitRatio", run.counted(RunAnswer::hitRatio));
        fields.put("pageReads", run.counted(RunAnswer::pageReads));
        fields.put("pageWrites", run.counted(RunAnswer::pageWrites));
        fields.put("transactions", run.counted(RunAnswer::transactions));
        if (advice.policies() != null) {
            fields.put("poolPages", pool.pages());
            fields.put("estimates", run.counted(RunAnswer::estimates));
        }
        return fields;
    }

    private Advised advised(Run<Setting, Contender, RunAnswer> run) {
        return new Advised(
                run.cell().name(),
                derby().terminals().size() == 1 ? "" : run.setting().terminals() + " terminals",
                pool.pages(),
                run.counted(RunAnswer::hitRatio),
                run.counted(RunAnswer::estimates));
    }

    private static Grid latencies(List<Run<Setting, Contender, RunAnswer>> runs) {
        List<String> head =
                new ArrayList<>(Stream.of("cache", "terminals", "repeat").toList());
        Arrays.stream(Kind.values()).map(Kind::jsonName).forEach(head::add);
        List<List<Object>> rows = new ArrayList<>();
        for (Run<Setting, Contender, RunAnswer> run : runs) {
            List<Object> row = new ArrayList<>(List.of(
                    run.cell().name(), run.setting().terminals(), run.cell().repeat()));
            Arrays.stream(Kind.values())
                    .map(kind -> millis(run.timed(answer -> latency(answer, kind))))
                    .forEach(row::add);
            rows.add(row);
        }
        return new Grid("Latencies in milliseconds, closed loop: p50 / p95 / p99", "", head, rows);
    }

    private static String millis(Percentiles latency) {
        return latency == null
                ? Figures.NOT_MEASURED
                : String.format(
                        Locale.ROOT,
                        "%.2f / %.2f / %.2f",
                        latency.p50() / 1e3,
                        latency.p95() / 1e3,
                        latency.p99() / 1e3);
    }

    @Override
    protected Comparison<Run<Setting, Contender, RunAnswer>> comparison(
            Results<Run<Setting, Contender, RunAnswer>> results) {
        return new Comparison<>(results, "the new-orders a minute");
    }

    @Override
    protected List<String> conclusion(Results<Run<Setting, Contender, RunAnswer>> results, int cores, boolean good) {
        List<String> lines = new ArrayList<>(comparison(results).sentences());
        List<RunAnswer> answers = Stream.concat(
                        results.runs().stream().map(Run::timed),
                        counted(results.runs()).stream().map(Run::counted))
                .toList();
        long filling = answers.stream()
                .filter(answer -> answer != null && pool.wasFilling(answer.residentAtStart()))
                .count();
        if (filling > 0) {
            lines.add("In " + filling + " of " + answers.size()
                    + " runs the pool was still filling when measuring began.");
        }
        return lines;
    }

    /** A pool given in pages makes the percentage null. */
    @Override
    protected Map<String, Object> options() {
        Map<String, Object> options = super.options();
        options.put("countedSeconds", countedSeconds());
        return options;
    }
}
