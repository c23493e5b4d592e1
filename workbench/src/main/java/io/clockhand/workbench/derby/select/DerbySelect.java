// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.select;

import io.clockhand.workbench.derby.Contender;
import io.clockhand.workbench.derby.DataSet;
import io.clockhand.workbench.derby.DerbyExperiment;
import io.clockhand.workbench.derby.DerbyProperties;
import io.clockhand.workbench.derby.Pool;
import io.clockhand.workbench.derby.driver.Database.Loaded;
import io.clockhand.workbench.derby.select.Selects.Selected;
import io.clockhand.workbench.environment.Journal;
import io.clockhand.workbench.experiment.Launch;
import io.clockhand.workbench.experiment.Order;
import io.clockhand.workbench.experiment.Run;
import io.clockhand.workbench.experiment.options.CommaList;
import io.clockhand.workbench.experiment.options.TimeOptions;
import io.clockhand.workbench.experiment.options.Usage;
import io.clockhand.workbench.experiment.report.Column;
import io.clockhand.workbench.experiment.report.Figures;
import io.clockhand.workbench.experiment.report.Report;
import io.clockhand.workbench.experiment.report.Results;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
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
public final class DerbySelect extends DerbyExperiment<Selected> {
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
    private Selects.Keys keys = Selects.Keys.UNIFORM;

    public DerbySelect() {
        super(
                Selected.class,
                new TimeOptions(3, 0.3),
                new Outline(
                        "Primary-key selects on Apache Derby",
                        "",
                        "Every row read had its own content.",
                        "Not every run ended with right rows, see above."),
                CommaList.of(1, 2, 4, 8, 16),
                "selects");
    }

    @Override
    protected void check(Usage usage) {
        usage.requireOnce("--pool-percent", "a pool", poolPercent);
        poolPercent.forEach(percent -> Pool.checkPercent(usage, percent));
        usage.requireWithin("--rows", rows, FEWEST_ROWS, MOST_ROWS);
        super.check(usage);
    }

    @Override
    protected List<Setting> settings() {
        return poolPercent.stream()
                .flatMap(percent -> derby().terminals().stream().map(terminals -> new Setting(terminals, percent)))
                .toList();
    }

    private Rows rows() {
        return new Rows(rows, seed());
    }

    @Override
    protected DataSet.Content content() {
        return new DataSet.Content("select-r" + rows, rows(), seed());
    }

    @Override
    protected Order<Loaded> loadOrder(String directory) {
        return new Selects.Load(directory, rows());
    }

    @Override
    public int seconds(boolean loaded) {
        int run = RUN_SECONDS + rows / ROWS_COPIED_PER_SECOND + times().warmup() + times().seconds();
        return (loaded ? 0 : 5 + rows / ROWS_LOADED_PER_SECOND)
                + settings().size() * times().repeat() * contenders().size() * run;
    }

    /** The longest that a child does without a report is to make the index, or to fill the pool. */
    @Override
    protected Sizes sizes() {
        return new Sizes(
                rows * BYTES_PER_ROW + EMPTY_BYTES,
                rows * BYTES_PER_ROW + EMPTY_BYTES,
                rows * FEWEST_BYTES_PER_ROW / PAGE_BYTES,
                "--pool-percent or --rows",
                Duration.ofSeconds(300 + rows / 1000),
                "READ_COMMITTED");
    }

    @Override
    protected long heapBesides(long allocatedPages) {
        return derby().mostTerminals() * HEAP_PER_TERMINAL;
    }

    @Override
    protected Map<String, String> commonProperties() {
        return DerbyProperties.ofEveryRun(derby().names().size());
    }

    @Override
    protected void describePools(long allocatedPages, Journal journal) {
        journal.say(Figures.of("%,d", allocatedPages) + " pages of 4 KiB were loaded; the pools are:");
        for (double percent : poolPercent) {
            journal.say("    " + Figures.brief(percent) + " %: "
                    + Figures.of("%,d", Pool.share(percent, allocatedPages)) + " pages");
        }
    }

    @Override
    protected Order<Selected> timedOrder(Launch<Setting, Contender> launch) {
        long inputSeed = seed() + launch.cell().repeat();
        return new Selects(task(launch, times().seconds(), 0, inputSeed), rows(), keys);
    }

    // --- the report --------------------------------------------------------------------------------------------------

    @Override
    protected String lead() {
        return rows() + ", keys " + keys + ", " + super.lead() + ", Derby " + derby().derby();
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
    protected List<String> remarks(Run<Setting, Contender, Selected> run, Selected answer) {
        return Stream.concat(super.remarks(run, answer).stream(), overfull(run, answer).stream())
                .toList();
    }

    @Override
    protected List<Column<Run<Setting, Contender, Selected>>> columns(List<Run<Setting, Contender, Selected>> runs) {
        return List.of(
                contender("cache", Contender::name),
                setting("terminals", Setting::terminals).inWords("%s terminals"),
                setting("poolPercent", Setting::poolPercent).as("pool %", "%s").inWords("a pool of %s %%"),
                repeat(),
                poolPages(),
                rate("selects/s"),
                figure("selects", Run::operations).as("selects", "%,.0f").onlyOfRuns(),
                timed("wrongRows", Selected::wrongRows)
                        .as("wrong rows", "%,.0f")
                        .onlyOfRuns()
                        .badIf(run -> run.timed() != null && !run.timed().allHolds()),
                maxResidentPages(),
                valid());
    }

    @Override
    protected void addTo(Report report, Results<Run<Setting, Contender, Selected>> results) {
        addCharts(report, "Selects a second", "selects/s", "selects/s", "poolPercent");
    }

    @Override
    protected List<String> notes(List<Run<Setting, Contender, Selected>> runs) {
        return List.of("A closed loop of terminals in the JVM of the database; every miss is served from the operating"
                + " system's cache unless memory is short.");
    }
}
