// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.select;

import io.clockhand.workbench.Journal;
import io.clockhand.workbench.derby.Contender;
import io.clockhand.workbench.derby.DataSet;
import io.clockhand.workbench.derby.DerbyExperiment;
import io.clockhand.workbench.derby.DerbyProperties;
import io.clockhand.workbench.derby.DerbyProperties.Durability;
import io.clockhand.workbench.derby.Needs;
import io.clockhand.workbench.derby.Pool;
import io.clockhand.workbench.derby.driver.Loaded;
import io.clockhand.workbench.environment.Environment;
import io.clockhand.workbench.environment.Installation;
import io.clockhand.workbench.experiment.Launch;
import io.clockhand.workbench.experiment.Order;
import io.clockhand.workbench.experiment.Run;
import io.clockhand.workbench.options.CommaList;
import io.clockhand.workbench.options.TimeOptions;
import io.clockhand.workbench.options.Usage;
import io.clockhand.workbench.report.Chart;
import io.clockhand.workbench.report.Column;
import io.clockhand.workbench.report.Comparison;
import io.clockhand.workbench.report.Figures;
import io.clockhand.workbench.report.Report;
import io.clockhand.workbench.report.Results;
import io.clockhand.workbench.select.driver.Keys;
import io.clockhand.workbench.select.driver.LoadOrder;
import io.clockhand.workbench.select.driver.Rows;
import io.clockhand.workbench.select.driver.RunAnswer;
import io.clockhand.workbench.select.driver.RunOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code derby-select}. */
@Command(
        name = "derby-select",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        description = """
            Selects rows by their primary key on an embedded Apache Derby, with Derby's own page cache and with \
            Clockhand's, each run in its own JVM, and checks the content of every row.""",
        footer = """
            Each terminal is a thread with a connection and a prepared statement of its own, autocommit off, isolation \
            READ_COMMITTED, and commits after every 100 selects: so little but the locks, the index, the row and the \
            cache is measured.""")
public final class DerbySelect extends DerbyExperiment<DerbySelect.Setting, RunAnswer> {
    private static final int FEWEST_ROWS = 100;
    private static final int MOST_ROWS = 100_000_000;
    /** Its connection with one prepared statement. */
    private static final long HEAP_PER_TERMINAL = 1 << 19;

    // Needs of the command, on the safe side of a slow laptop.
    /** Of the table and its index together. */
    private static final long BYTES_PER_ROW = 290;

    private static final long FEWEST_BYTES_PER_ROW = 200;
    private static final long PAGE_BYTES = 4096;
    /** The catalogues and the log. */
    private static final long EMPTY_BYTES = 25_000_000;

    private static final int ROWS_LOADED_PER_SECOND = 50_000;
    private static final int ROWS_COPIED_PER_SECOND = 500_000;
    private static final int RUN_SECONDS = 4;

    @Option(
            names = "--pool-percent",
            paramLabel = "P,…",
            split = ",",
            description = "The page cache, as a share of the pages of the table, its index and Derby's catalogues; a"
                    + " list makes a run for each (default: 100,10).")
    private List<Double> poolPercent = CommaList.of(100.0, 10.0);

    @Option(
            names = "--rows",
            paramLabel = "N",
            description = "Of some 200 bytes each; the default fills about 30,000 pages of 4 KiB"
                    + " (default: ${DEFAULT-VALUE}).")
    private int rows = 440_000;

    @Option(
            names = "--keys",
            paramLabel = "uniform|80-20",
            description = "All rows alike, or four in five selects to the first fifth of the keys, and so of the pages"
                    + " (default: ${DEFAULT-VALUE}).")
    private Keys keys = Keys.UNIFORM;

    /** Allocated when the database is loaded. */
    private long pages;

    public DerbySelect() {
        super(
                RunAnswer.class,
                new TimeOptions(3, 0.3),
                new Outline(
                        "Primary-key selects on Apache Derby",
                        "",
                        "Every row read had its own content.",
                        "Not every run ended with right rows, see above."),
                CommaList.of(1, 2, 4, 8, 16));
    }

    /** The settings that compared contenders have in common. */
    record Setting(int terminals, double poolPercent) {
        @Override
        public String toString() {
            return Figures.counted(terminals, "terminals") + ", pool of " + Figures.brief(poolPercent) + " %";
        }
    }

    @Override
    protected void check(Usage usage) {
        usage.requireOnce("--pool-percent", "a pool", poolPercent);
        poolPercent.forEach(percent -> Pool.checkPercent(usage, percent));
        usage.requireWithin("--rows", rows, FEWEST_ROWS, MOST_ROWS);
        times().check(usage, derby().names());
        derby().check(usage, Installation.here());
    }

    @Override
    protected List<Setting> settings() {
        List<Setting> settings = new ArrayList<>();
        for (double percent : poolPercent) {
            derby().terminals().forEach(terminals -> settings.add(new Setting(terminals, percent)));
        }
        return settings;
    }

    @Override
    protected int counters(Setting setting) {
        return setting.terminals();
    }

    // --- the database ------------------------------------------------------------------------------------------------

    @Override
    protected DataSet.Content content() {
        return new Rows(rows, seed());
    }

    @Override
    protected Order<Loaded> loadOrder(String directory) {
        return new LoadOrder(directory, new Rows(rows, seed()));
    }

    @Override
    protected Needs needs(boolean loaded) {
        int run = RUN_SECONDS + rows / ROWS_COPIED_PER_SECOND + times().warmup() + times().seconds();
        int seconds = (loaded ? 0 : 5 + rows / ROWS_LOADED_PER_SECOND)
                + settings().size() * times().repeat() * contenders().size() * run;
        return new Needs(seconds, copyBytes(), contenders().size() * copyBytes());
    }

    @Override
    protected long copyBytes() {
        return rows * BYTES_PER_ROW + EMPTY_BYTES;
    }

    @Override
    protected long fewestPages() {
        return rows * FEWEST_BYTES_PER_ROW / PAGE_BYTES;
    }

    /** The longest that a child does without a report is to make the index, or to fill the pool. */
    @Override
    protected Duration patience() {
        return Duration.ofSeconds(300 + rows / 1000);
    }

    /** Fails, in one sentence, if the heap it needs is larger than the memory of the machine. */
    Pool pool(double percent, long allocatedPages, long memoryBytes) {
        return Pool.of(
                Pool.share(percent, allocatedPages),
                allocatedPages,
                derby().heap(),
                derby().mostTerminals() * HEAP_PER_TERMINAL,
                derby().names().size(),
                memoryBytes,
                "--pool-percent or --rows");
    }

    /** Every run has the heap that the largest pool needs, so that pools differ in nothing else. */
    @Override
    protected Pool largestPool(long allocatedPages) {
        return pool(Collections.max(poolPercent), allocatedPages, Environment.memory());
    }

    private Pool pool(Setting setting) {
        return pool(setting.poolPercent(), pages, Environment.memory());
    }

    @Override
    protected String isolation() {
        return "READ_COMMITTED";
    }

    @Override
    protected Map<String, String> commonProperties() {
        return DerbyProperties.ofEveryRun(derby().names().size());
    }

    @Override
    protected Map<String, String> properties(Launch<Setting, Contender> launch) {
        return DerbyProperties.ofRun(
                launch.contender(), pool(launch.setting()).pages(), Durability.TEST, launch.contenders());
    }

    @Override
    protected void sizePools(long allocatedPages, Journal journal) {
        pages = allocatedPages;
        journal.say(String.format(Locale.ROOT, "%,d pages of 4 KiB were loaded; the pools are:", allocatedPages));
        for (double percent : poolPercent) {
            journal.say(String.format(
                    Locale.ROOT, "    %s %%: %,d pages", Figures.brief(percent), Pool.share(percent, allocatedPages)));
        }
    }

    @Override
    protected Order<RunAnswer> timedOrder(Launch<Setting, Contender> launch) {
        Setting setting = launch.setting();
        return new RunOrder(
                database(launch),
                new Rows(rows, seed()),
                launch.contender().required(pool(setting).pages()),
                setting.terminals(),
                keys,
                launch.timing().warmupSeconds(),
                launch.timing().seconds(),
                seed() + launch.cell().repeat(),
                launch.timing().slices(),
                DerbyProperties.hangSeconds(launch.contenders()),
                recording(launch));
    }

    // --- the report --------------------------------------------------------------------------------------------------

    @Override
    protected String lead() {
        return String.format(Locale.ROOT, "%,d rows, keys %s, %s, Derby %s", rows, keys, super.lead(), derby().derby());
    }

    @Override
    protected String rate() {
        return "selectsPerSecond";
    }

    @Override
    protected String operations() {
        return "selects";
    }

    @Override
    protected List<String> remarks(Run<Setting, Contender, RunAnswer> run, RunAnswer answer) {
        List<String> lines = new ArrayList<>(super.remarks(run, answer));
        if (!isWithinPool(run)) {
            lines.add(pool(run.setting()).overfull(run.cell(), answer.maxResidentPages()));
        }
        return lines;
    }

    private boolean isWithinPool(Run<Setting, Contender, RunAnswer> run) {
        return pool(run.setting()).holds(run.timed(RunAnswer::maxResidentPages));
    }

    /** Whether the run ended, every row was right, and the cache kept to its pool. */
    @Override
    protected boolean isValid(Run<Setting, Contender, RunAnswer> run) {
        return super.isValid(run) && isWithinPool(run);
    }

    @Override
    protected List<Column<Run<Setting, Contender, RunAnswer>>> columns(List<Run<Setting, Contender, RunAnswer>> runs) {
        return List.of(
                contender("cache", Contender::name),
                setting("terminals", Setting::terminals).inWords("%s terminals"),
                setting("poolPercent", Setting::poolPercent).as("pool %", "%s").inWords("a pool of %s %%"),
                repeat(),
                figure("poolPages", run -> pool(run.setting()).pages()),
                rate("selects/s"),
                figure("selects", Run::operations).as("selects", "%,.0f").onlyOfRuns(),
                timed("wrongRows", RunAnswer::wrongRows)
                        .as("wrong rows", "%,.0f")
                        .onlyOfRuns()
                        .badIf(run -> run.timed() != null && !run.timed().allHolds()),
                timed("maxResidentPages", RunAnswer::maxResidentPages)
                        .as("max resident", "%,.0f")
                        .largest()
                        .badIf(run -> !isWithinPool(run)),
                valid());
    }

    @Override
    protected void addTo(Report report, Results<Run<Setting, Contender, RunAnswer>> results) {
        report.add("derbyProperties", commonProperties())
                .chart(Chart.bars("Selects a second", "terminals", "selectsPerSecond", "selects/s", "poolPercent"))
                .chart(Chart.bars(
                        "Ratio with its 95 % interval",
                        "terminals", "ratio", "times the baseline's selects/s", "poolPercent"));
    }

    @Override
    protected List<String> notes(List<Run<Setting, Contender, RunAnswer>> runs) {
        return List.of("A closed loop of terminals in the JVM of the database; every miss is served from the operating"
                + " system's cache unless memory is short.");
    }

    @Override
    protected Comparison<Run<Setting, Contender, RunAnswer>> comparison(
            Results<Run<Setting, Contender, RunAnswer>> results) {
        return new Comparison<>(results, "the selects");
    }
}
