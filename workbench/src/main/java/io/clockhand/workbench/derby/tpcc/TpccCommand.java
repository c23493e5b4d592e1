// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.tpcc;

import io.clockhand.workbench.derby.Contender;
import io.clockhand.workbench.derby.DataSet;
import io.clockhand.workbench.derby.DerbyProperties;
import io.clockhand.workbench.derby.Pool;
import io.clockhand.workbench.derby.tpcc.TpccCommand.Setting;
import io.clockhand.workbench.derby.tpcc.TpccRun.RunAnswer;
import io.clockhand.workbench.derby.tpcc.TpccRun.Work;
import io.clockhand.workbench.environment.ChildJvm;
import io.clockhand.workbench.environment.CleanUp;
import io.clockhand.workbench.environment.CommandFailure;
import io.clockhand.workbench.environment.Disk;
import io.clockhand.workbench.environment.Environment;
import io.clockhand.workbench.environment.Failures;
import io.clockhand.workbench.environment.Installation;
import io.clockhand.workbench.environment.Progress;
import io.clockhand.workbench.experiment.Experiment;
import io.clockhand.workbench.experiment.Launch;
import io.clockhand.workbench.experiment.Order;
import io.clockhand.workbench.experiment.Run;
import io.clockhand.workbench.experiment.RunChild;
import io.clockhand.workbench.experiment.Timing;
import io.clockhand.workbench.experiment.Workplace;
import io.clockhand.workbench.experiment.options.TimeOptions;
import io.clockhand.workbench.experiment.options.Usage;
import io.clockhand.workbench.experiment.report.Advised;
import io.clockhand.workbench.experiment.report.Chart;
import io.clockhand.workbench.experiment.report.Column;
import io.clockhand.workbench.experiment.report.Comparison;
import io.clockhand.workbench.experiment.report.Figures;
import io.clockhand.workbench.experiment.report.Report;
import io.clockhand.workbench.experiment.report.Results;
import io.clockhand.workbench.workload.TraceWriter;
import io.clockhand.workbench.workload.tpcc.Scale;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToLongFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The command {@code tpcc}: the database is loaded once, and terminals work on a copy of it in each run. */
@Command(
        name = "tpcc",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        description = """
            Runs TPC-C on an embedded Apache Derby, with Derby's own page cache and with Clockhand's, each run in its \
            own JVM and on its own copy of the data, and checks the data afterwards.""",
        footer = "Not an audited TPC-C result.")
public final class TpccCommand extends Experiment<Setting, Contender, RunAnswer> {
    /** Of a warehouse, with its share of the log of the load. */
    private static final long WAREHOUSE_BYTES = 150_000_000;
    /** Of the log, at the beginning and for each second of a run. */
    private static final long LOG_BYTES = 100_000_000;

    private static final long LOG_BYTES_PER_SECOND = 2_000_000;

    @Mixin
    private TpccOptions given = new TpccOptions();

    /** Null for the standard one. */
    private final Scale otherScale;

    private DataSet dataSet;
    private CleanUp cleanUp;
    private Pool pool;

    /** The settings that compared contenders have in common. */
    record Setting(int terminals) {
        @Override
        public String toString() {
            return Figures.counted(terminals, "terminals");
        }
    }

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
                        "Not every run ended with all twelve consistency conditions intact, see above."));
        this.otherScale = otherScale;
    }

    @Override
    protected void check(Usage usage) {
        given.check(usage);
        times().check(usage, given.caches);
        if (given.caches.contains(Contender.DERBY)) {
            times().fillBaseline(Contender.DERBY);
        }
    }

    @Override
    protected List<Setting> settings() {
        return given.terminals.stream().map(Setting::new).toList();
    }

    @Override
    protected List<Contender> contenders() {
        return given.contenders;
    }

    @Override
    protected int counters(Setting setting) {
        return setting.terminals();
    }

    /** The longest that a child does without a report is to write back, recover and check the whole database. */
    @Override
    protected Duration patience() {
        return Duration.ofMinutes(10L + given.warehouses);
    }

    // --- the database ------------------------------------------------------------------------------------------------

    private Scale scale() {
        return otherScale != null ? otherScale : Scale.standard(given.warehouses, seed());
    }

    @Override
    protected List<String> prepare(Workplace workplace) {
        cleanUp = workplace.cleanUp();
        if (given.record != null) {
            Disk.requireWritable(given.record.toAbsolutePath().getParent(), "the recording");
            cleanUp.add(TraceWriter.part(given.record));
        }
        dataSet = DataSet.lock(given.data, scale(), given.derby);
        long allocatedPages = dataSet.allocatedPages();
        if (allocatedPages == 0) {
            sizePool(given.warehouses * 30_000L); // fails before the load if it would fail after it
            long bytes = given.warehouses * WAREHOUSE_BYTES + contenders().size() * copyBytes();
            Disk.require(dataSet.directory(), bytes, "loading the database and copying it for a run");
            allocatedPages = load(workplace);
        }
        sizePool(allocatedPages);
        workplace
                .journal()
                .say(String.format(
                        Locale.ROOT,
                        "The pool of %,d pages of 4 KiB is %.0f %% of the %,d pages loaded; isolation SERIALIZABLE"
                                + " (Stock-Level and selects: READ_COMMITTED).",
                        pool.pages(),
                        100.0 * pool.pages() / allocatedPages,
                        allocatedPages));
        return jvmFlags(pool.heap());
    }

    /** Sizes the pool, and the heap that also holds the terminals, the sums of the check, and what is recorded. */
    void sizePool(long allocatedPages) {
        long terminals = Collections.max(given.terminals) * (3L << 19); // each has twenty prepared statements
        long sums = given.warehouses * (4L << 20);
        long recording = given.record == null ? 0 : (8L << 20) + allocatedPages * 160;
        pool = Pool.of(
                given.poolPercent,
                allocatedPages,
                terminals + sums + recording,
                contenders().size(),
                Environment.memory());
    }

    /** Loads the database, and returns its pages; if that fails or is broken off, nothing of it stays. */
    private long load(Workplace workplace) {
        Path home = dataSet.runDirectory();
        Path database = dataSet.database();
        cleanUp.add(home);
        cleanUp.add(database);
        try (Progress progress = Progress.of("loading " + scale())) {
            Files.createDirectories(home);
            List<String> flags = workplace.flags(jvmFlags("768m")); // which sorting the rows of a bulk insert needs
            Order<Long> order = new Loader(database.toAbsolutePath().toString(), scale());
            Path log = out().resolve(name() + "-load.log");
            long allocatedPages = jvm(home, DerbyProperties.ofLoad(), flags, List.of(), log)
                    .ask(order, Long.class, loaded -> true, cleanUp, progress::at);
            Disk.forceTree(database);
            dataSet.markLoaded(allocatedPages);
            cleanUp.keep(database);
            cleanUp.delete(home);
            return allocatedPages;
        } catch (IOException e) {
            throw new CommandFailure("cannot load into " + dataSet.directory() + ": " + Failures.sentence(e), e);
        }
    }

    /** Of the copy that a run works on, with its log and new rows. */
    private long copyBytes() {
        return given.warehouses * WAREHOUSE_BYTES
                + LOG_BYTES
                + (times().warmup() + times().seconds()) * LOG_BYTES_PER_SECOND;
    }

    @Override
    protected void close() {
        if (dataSet != null) {
            dataSet.close();
        }
    }

    // --- runs --------------------------------------------------------------------------------------------------------

    @Override
    protected Path home(Workplace workplace, int number) throws IOException {
        Disk.require(dataSet.directory(), copyBytes(), "the working copy of a run");
        return dataSet.copyForRun(cleanUp, number);
    }

    /** The run that counts hits makes estimates and records, which slows down none that is measured. */
    @Override
    protected ChildJvm jvm(Launch<Setting, Contender> launch, List<String> flags, Path log) throws IOException {
        Contender cache = launch.contender();
        boolean counted = launch.timing() == null;
        Map<String, String> properties = DerbyProperties.ofRun(cache.policy(), pool.pages(), launch.contenders());
        if (isAdvised(launch)) {
            DerbyProperties.advise(properties, given.advice.policies());
        }
        if (counted && given.record != null) {
            DerbyProperties.useFactory(properties, "io.clockhand.workbench.derby.driver.RecordingCacheFactory");
        }
        List<String> all = new ArrayList<>(flags);
        String recordings = launch.home().resolve("jfr").toAbsolutePath().toString();
        if ((given.profile || counted) && !recordings.contains(",")) {
            // the Flight Recorder takes no notice of java.io.tmpdir, and separates its options by commas
            all.add("-XX:FlightRecorderOptions=repository=" + recordings);
        }
        return jvm(launch.home(), properties, all, cache.jars(), log);
    }

    private ChildJvm jvm(Path home, Map<String, String> properties, List<String> common, List<String> jars, Path log)
            throws IOException {
        Files.writeString(home.resolve("derby.properties"), DerbyProperties.asText(properties));
        List<String> flags = new ArrayList<>(common);
        flags.add("-Dderby.system.home=" + home.toAbsolutePath());
        flags.add("-Djava.io.tmpdir=" + home.toAbsolutePath());
        String classPath = Installation.here().classPath(jars, given.derby);
        return new ChildJvm(RunChild.class.getName(), classPath, flags, home, patience(), log);
    }

    /** The flags that may matter to the figures. */
    private static List<String> jvmFlags(String heap) {
        return List.of("-Xms" + heap, "-Xmx" + heap, "-XX:+UseG1GC");
    }

    private boolean isAdvised(Launch<Setting, Contender> launch) {
        return given.advice.policies() != null
                && launch.timing() == null
                && launch.contender().policy() != null
                && launch.contender().jars().isEmpty();
    }

    @Override
    protected Order<RunAnswer> timedOrder(Launch<Setting, Contender> launch) {
        Path profile = out().resolve(launch.fileName() + ".jfr").toAbsolutePath();
        return new TpccRun(
                database(launch),
                scale(),
                launch.contender(),
                pool.pages(),
                given.work,
                launch.setting().terminals(),
                launch.timing(),
                0,
                seed() + launch.cell().repeat(),
                given.profile ? profile.toString() : null,
                false,
                null,
                false);
    }

    /** Once for each cache and number of terminals. */
    @Override
    protected boolean isCounted(Run<Setting, Contender, RunAnswer> run) {
        return run.cell().repeat() == 1;
    }

    @Override
    protected Order<RunAnswer> countedOrder(Launch<Setting, Contender> launch, Run<Setting, Contender, RunAnswer> run) {
        return new TpccRun(
                database(launch),
                scale(),
                launch.contender(),
                pool.pages(),
                given.work,
                launch.setting().terminals(),
                Timing.alone(times().warmup(), countedSeconds()),
                given.leastNewOrders,
                seed(),
                null,
                true,
                given.record == null ? null : given.record.toAbsolutePath().toString(),
                isAdvised(launch));
    }

    private static String database(Launch<Setting, Contender> launch) {
        return launch.home().resolve("database").toAbsolutePath().toString();
    }

    /**
     * Hits and I/O are counted in a shorter run, though not in less than three seconds if those are measured; but that
     * run is recorded, too, and then as long as the others.
     */
    int countedSeconds() {
        int seconds = times().seconds();
        return given.record != null ? seconds : Math.max(Math.min(seconds, 3), seconds / 3);
    }

    // --- the report --------------------------------------------------------------------------------------------------

    @Override
    protected List<String> remarks(Run<Setting, Contender, RunAnswer> run, RunAnswer answer) {
        List<String> lines = new ArrayList<>();
        if (run.counted() == null) {
            lines.add(
                    String.format(Locale.ROOT, "  %s: %,.0f %s", run.cell().name(), throughput(run), given.work.unit));
        }
        if (!isWithinPool(answer)) {
            lines.add(String.format(
                    Locale.ROOT,
                    "Warning: %s held %,d pages, more than 2 %% over its pool of %,d: not valid.",
                    run.cell(),
                    answer.maxResidentPages(),
                    pool.pages()));
        }
        return lines;
    }

    private boolean isWithinPool(RunAnswer answer) {
        return pool.holds(answer.maxResidentPages());
    }

    /** Of the contender's own running time. */
    private Double throughput(Run<?, ?, RunAnswer> run) {
        Double perSecond = run.operationsPerSecond();
        return perSecond == null ? null : Double.valueOf(given.work.seconds * perSecond);
    }

    /** Whether the run ended, every check held, and the cache kept to its pool. */
    @Override
    protected boolean isValid(Run<Setting, Contender, RunAnswer> run) {
        return run.timed() != null && run.answers().allMatch(answer -> answer.allHolds() && isWithinPool(answer));
    }

    @Override
    protected String rate() {
        return given.work.rate;
    }

    @Override
    protected String lead() {
        return String.format(
                Locale.ROOT,
                "%s, %s, pool of %,d pages, durability test, %s, no keying or think time, Derby %s",
                Figures.counted(given.warehouses, "warehouses"),
                given.work,
                pool.pages(),
                super.lead(),
                given.derby);
    }

    @Override
    protected List<String> notes(List<Run<Setting, Contender, RunAnswer>> runs) {
        return List.of("Not an audited TPC-C result. Latencies are those of a closed loop of terminals, which hides"
                + " queueing; that of a delivery runs from its queueing to its end. In a duel only operations within"
                + " one slice count for latencies.");
    }

    @Override
    protected List<Column<Run<Setting, Contender, RunAnswer>>> columns(List<Run<Setting, Contender, RunAnswer>> runs) {
        return List.of(
                contender("cache", Contender::name),
                figure("warehouses", run -> given.warehouses),
                setting("terminals", Setting::terminals).inWords("%s terminals"),
                repeat(),
                figure("poolPages", run -> pool.pages()),
                figure(rate(), this::throughput).as(rate(), "%,.0f").inSummary(),
                timed("transactions", RunAnswer::transactions)
                        .as("transactions", "%,.0f")
                        .onlyOfRuns(),
                timed("retries", RunAnswer::retries).as("retries", "%,.0f").added(),
                timed("errors", RunAnswer::errors).as("errors", "%,.0f").added(),
                counted("hitRatio", answer -> answer.statistics().hitRatio())
                        .asPercent("hits %")
                        .onlyInTables(),
                perTransaction("reads", answer -> answer.statistics().pageReads()),
                perTransaction("writes", answer -> answer.statistics().pageWrites()),
                timed("latencyMicros", RunAnswer::latencyMicros).onlyInJson(),
                timed("maxResidentPages", RunAnswer::maxResidentPages)
                        .as("max resident", "%,.0f")
                        .largest(),
                valid());
    }

    private Column<Run<Setting, Contender, RunAnswer>> perTransaction(String name, ToLongFunction<RunAnswer> pages) {
        return counted(
                        name + "PerTransaction",
                        answer -> answer.transactions() == 0
                                ? null
                                : (Double) ((double) pages.applyAsLong(answer) / answer.transactions()))
                .as(name + "/tx", "%.3f")
                .onlyInTables();
    }

    @Override
    protected void addTo(Report report, Results<Run<Setting, Contender, RunAnswer>> results) {
        List<Run<Setting, Contender, RunAnswer>> counted =
                results.runs().stream().filter(this::isCounted).toList();
        report.add(
                        "derbyProperties",
                        DerbyProperties.common(pool.pages(), contenders().size()))
                .chart(Chart.bars(
                        "Throughput: medians, and every run as a point", "terminals", rate(), given.work.unit))
                .chart(Chart.bars(
                        "Ratio with its 95 % interval",
                        "terminals", "ratio", "times the baseline's " + given.work.unit))
                .add("counted", counted.stream().map(this::countedJson).toList());
        if (given.advice.policies() != null) {
            report.added(Advised.table(counted.stream().map(this::advised).toList()))
                    .chart(Chart.estimates(
                            "Estimated hit ratio by size",
                            "cache",
                            new Chart.Estimates("counted", "poolPages", "pages of the cache")));
        }
    }

    private Map<String, Object> countedJson(Run<Setting, Contender, RunAnswer> run) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("cache", run.contender().name());
        fields.put("terminals", run.setting().terminals());
        fields.put("hitRatio", run.counted(answer -> answer.statistics().hitRatio()));
        fields.put("pageReads", run.counted(answer -> answer.statistics().pageReads()));
        fields.put("pageWrites", run.counted(answer -> answer.statistics().pageWrites()));
        fields.put("transactions", run.counted(RunAnswer::transactions));
        if (given.advice.policies() != null) {
            fields.put("poolPages", pool.pages());
            fields.put("estimates", run.counted(answer -> answer.statistics().estimates()));
        }
        return fields;
    }

    private Advised advised(Run<Setting, Contender, RunAnswer> run) {
        return new Advised(
                run.cell().name(),
                given.terminals.size() == 1 ? "" : run.setting().toString(),
                pool.pages(),
                run.counted(answer -> answer.statistics().hitRatio()),
                run.counted(answer -> answer.statistics().estimates()));
    }

    @Override
    protected Comparison<Run<Setting, Contender, RunAnswer>> comparison(
            Results<Run<Setting, Contender, RunAnswer>> results) {
        return new Comparison<>(results, "the " + given.work.unit);
    }

    /** States how many pools were not full; selects fill theirs at once, or need less than the whole of it. */
    @Override
    protected List<String> conclusion(Results<Run<Setting, Contender, RunAnswer>> results, int cores, boolean good) {
        List<String> lines = new ArrayList<>(comparison(results).sentences());
        List<RunAnswer> answers = results.runs().stream().flatMap(Run::answers).toList();
        long filling = answers.stream()
                .filter(answer -> given.work == Work.TRANSACTIONS && pool.wasFilling(answer.residentAtStart()))
                .count();
        if (filling > 0) {
            lines.add("In " + filling + " of " + answers.size()
                    + " runs the pool was still filling when measuring began; a longer --warmup fills it.");
        }
        return lines;
    }
}
