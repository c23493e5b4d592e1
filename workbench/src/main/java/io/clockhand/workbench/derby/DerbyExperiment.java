// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby;

import io.clockhand.workbench.derby.DerbyProperties.Durability;
import io.clockhand.workbench.derby.driver.Database.Loaded;
import io.clockhand.workbench.derby.driver.RunTask;
import io.clockhand.workbench.environment.ChildJvm;
import io.clockhand.workbench.environment.CleanUp;
import io.clockhand.workbench.environment.CommandFailure;
import io.clockhand.workbench.environment.Disk;
import io.clockhand.workbench.environment.Environment;
import io.clockhand.workbench.environment.Failures;
import io.clockhand.workbench.environment.Installation;
import io.clockhand.workbench.environment.Journal;
import io.clockhand.workbench.environment.Progress;
import io.clockhand.workbench.experiment.Answer;
import io.clockhand.workbench.experiment.Experiment;
import io.clockhand.workbench.experiment.Launch;
import io.clockhand.workbench.experiment.Order;
import io.clockhand.workbench.experiment.Run;
import io.clockhand.workbench.experiment.RunChild;
import io.clockhand.workbench.experiment.Workplace;
import io.clockhand.workbench.experiment.options.TimeOptions;
import io.clockhand.workbench.experiment.options.Usage;
import io.clockhand.workbench.experiment.report.Chart;
import io.clockhand.workbench.experiment.report.Column;
import io.clockhand.workbench.experiment.report.Comparison;
import io.clockhand.workbench.experiment.report.Figures;
import io.clockhand.workbench.experiment.report.Report;
import io.clockhand.workbench.experiment.report.Results;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Mixin;

/** An experiment with caches of Derby: its database is loaded once, and terminals work on a copy of it in each run. */
public abstract class DerbyExperiment<A extends DerbyExperiment.DerbyAnswer>
        extends Experiment<DerbyExperiment.Setting, Contender, A> {
    /** Sorting the rows of a bulk insert is what needs it. */
    private static final String LOAD_HEAP = "768m";

    @Mixin
    private DerbyOptions derby;

    private final String unit;
    private DataSet dataSet;
    private CleanUp cleanUp;
    private long pages;

    /**
     * The settings that compared contenders have in common.
     *
     * @param poolPercent null if all settings have the same pool
     */
    public record Setting(int terminals, Double poolPercent) {
        @Override
        public String toString() {
            return Figures.counted(terminals, "terminals")
                    + (poolPercent == null ? "" : ", pool of " + Figures.brief(poolPercent) + " %");
        }
    }

    /** The figures of a run that has watched its cache. */
    public interface DerbyAnswer extends Answer {
        /** Null if it was not seen. */
        Integer maxResidentPages();
    }

    /**
     * Makes an experiment.
     *
     * @param terminals by default
     * @param unit of the rate, in words, such as {@code selects}
     */
    protected DerbyExperiment(
            Class<A> answerType, TimeOptions times, Outline outline, List<Integer> terminals, String unit) {
        super(answerType, times, outline);
        derby = new DerbyOptions(terminals);
        this.unit = unit;
    }

    // --- what a subclass declares ------------------------------------------------------------------------------------

    protected abstract DataSet.Content content();

    protected abstract Order<Loaded> loadOrder(String directory);

    /**
     * The sizes of the data, and what follows from them.
     *
     * @param databaseBytes that stay for the next time
     * @param copyBytes of one copy, with the data that a run adds
     * @param fewestPages a lower bound of the pages to be loaded: a pool refused because of it would be refused later
     * @param sizeOptions the options to lower if a pool is too large, such as {@code --pool-percent or --rows}
     * @param patience how long a child may be silent before it counts as hung
     * @param isolation of transactions, in words
     */
    public record Sizes(
            long databaseBytes,
            long copyBytes,
            long fewestPages,
            String sizeOptions,
            Duration patience,
            String isolation) {}

    protected abstract Sizes sizes();

    /** How long all takes, with the load or without. */
    public abstract int seconds(boolean loaded);

    /** The heap that a run needs besides its pool. */
    protected abstract long heapBesides(long allocatedPages);

    /** The properties that all runs have. */
    protected abstract Map<String, String> commonProperties();

    protected Map<String, String> properties(Launch<Setting, Contender> launch) {
        return DerbyProperties.ofRun(
                launch.contender(), pool(launch.setting()).pages(), Durability.TEST, launch.contenders());
    }

    /** Says how large the pools are. */
    protected abstract void describePools(long allocatedPages, Journal journal);

    // --- the database ------------------------------------------------------------------------------------------------

    @Override
    protected void check(Usage usage) {
        times().check(usage, derby.names());
        derby.check(usage, Installation.here());
    }

    @Override
    protected List<String> prepare(Workplace workplace) {
        cleanUp = workplace.cleanUp();
        Journal journal = workplace.journal();
        dataSet = DataSet.lock(derby.data(), content(), derby.derby());
        boolean loaded = dataSet.isLoaded();
        long copies = contenders().size() * sizes().copyBytes();
        journal.say(needs(copies, loaded));
        if (!loaded) {
            largestPool(sizes().fewestPages());
            Disk.require(
                    dataSet.directory(),
                    sizes().databaseBytes() + copies,
                    "loading the database and copying it for a run");
            load(workplace);
        }
        long allocatedPages = dataSet.readMarker().allocatedPages();
        // Every run has the heap that the largest pool needs, so that pools differ in nothing else.
        derby.setHeap(largestPool(allocatedPages).heap());
        List<String> flags = jvmFlags(derby.heap());
        sizePools(allocatedPages, journal);
        journal.say("Derby " + derby.derby() + ", " + String.join(" ", flags) + ", isolation " + sizes().isolation()
                + "; every run has these properties:");
        commonProperties().forEach((name, value) -> journal.say("    " + name + "=" + value));
        return flags;
    }

    private String needs(long copies, boolean loaded) {
        String loadedBytes = Disk.megabytes(sizes().databaseBytes());
        return "This takes about " + Figures.counted((seconds(loaded) + 59) / 60, "minutes") + " and "
                + Disk.megabytes(copies + (loaded ? 0 : sizes().databaseBytes())) + " of disk in " + derby.data()
                + (loaded
                        ? "; the loaded data are there already."
                        : ", of which " + loadedBytes + " stay for the next time.");
    }

    /** Sizes the pools by the pages of all tables and indexes, and says how large they are. */
    public final void sizePools(long allocatedPages, Journal journal) {
        pages = allocatedPages;
        describePools(allocatedPages, journal);
    }

    /** Loads the database; if that fails or is broken off, nothing of it stays. */
    private void load(Workplace workplace) {
        Path home = dataSet.runDirectory();
        Path database = dataSet.database();
        cleanUp.add(home);
        cleanUp.add(database);
        try (Progress progress = Progress.of("loading " + content().scale())) {
            Files.createDirectories(home);
            String name = name() + "-load";
            List<String> flags = workplace.flags(jvmFlags(LOAD_HEAP));
            Loaded answer = jvm(home, DerbyProperties.ofLoad(), flags, List.of(), name, false)
                    .ask(
                            loadOrder(database.toAbsolutePath().toString()),
                            Loaded.class,
                            loaded -> true,
                            cleanUp,
                            progress::at);
            Disk.forceTree(database);
            dataSet.markLoaded(answer.allocatedPages());
            cleanUp.keep(database);
            cleanUp.delete(home);
        } catch (IOException e) {
            throw new CommandFailure("cannot load into " + dataSet.directory() + ": " + Failures.sentence(e), e);
        }
    }

    /** The pages of the pool of a setting. */
    protected int poolPages(Setting setting, long allocatedPages) {
        return Pool.share(setting.poolPercent(), allocatedPages);
    }

    /** Fails, in one sentence, if the heap that it needs is larger than the memory of the machine. */
    public final Pool pool(Setting setting, long allocatedPages, long memoryBytes) {
        return Pool.of(
                poolPages(setting, allocatedPages),
                allocatedPages,
                derby.heap(),
                heapBesides(allocatedPages),
                derby.names().size(),
                memoryBytes,
                sizes().sizeOptions());
    }

    protected final Pool pool(Setting setting) {
        return pool(setting, pages, Environment.memory());
    }

    private Pool largestPool(long allocatedPages) {
        return settings().stream()
                .map(setting -> pool(setting, allocatedPages, Environment.memory()))
                .max(Comparator.comparingInt(Pool::pages))
                .orElseThrow();
    }

    protected final DerbyOptions derby() {
        return derby;
    }

    @Override
    protected List<Contender> contenders() {
        return derby.caches();
    }

    @Override
    protected Duration patience() {
        return sizes().patience();
    }

    @Override
    protected int counters(Setting setting) {
        return setting.terminals();
    }

    @Override
    protected String baseline() {
        return derby.baseline(times());
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
        Disk.require(dataSet.directory(), sizes().copyBytes(), "the working copy of a run");
        return dataSet.copyForRun(cleanUp, number);
    }

    /**
     * The work of a run.
     *
     * @param leastOperations that are counted, if need be beyond the seconds; 0 in a duel
     * @param inputSeed of what is drawn while it runs
     */
    protected final RunTask task(Launch<Setting, Contender> launch, int seconds, long leastOperations, long inputSeed) {
        boolean timed = launch.timing() != null;
        return new RunTask(
                launch.home().resolve("database").toAbsolutePath().toString(),
                launch.contender().required(pool(launch.setting()).pages()),
                launch.setting().terminals(),
                times().warmup(),
                seconds,
                leastOperations,
                inputSeed,
                timed ? launch.timing().slices() : null,
                DerbyProperties.hangSeconds(launch.contenders()),
                timed && derby.profile()
                        ? out().resolve(launch.fileName() + ".jfr")
                                .toAbsolutePath()
                                .toString()
                        : null);
    }

    /** Runs with statistics use the Flight Recorder, too. */
    @Override
    protected ChildJvm jvm(Launch<Setting, Contender> launch, List<String> flags, Path log) throws IOException {
        boolean recorded = derby.profile() || launch.timing() == null;
        return jvm(launch.home(), properties(launch), flags, launch.contender().jars(), launch.fileName(), recorded);
    }

    private ChildJvm jvm(
            Path home,
            Map<String, String> properties,
            List<String> common,
            List<String> jars,
            String name,
            boolean recorded)
            throws IOException {
        Files.writeString(home.resolve("derby.properties"), DerbyProperties.asText(properties));
        List<String> flags = new ArrayList<>(common);
        flags.add("-Dderby.system.home=" + home.toAbsolutePath());
        flags.add("-Djava.io.tmpdir=" + home.toAbsolutePath());
        if (recorded && !home.toAbsolutePath().toString().contains(",")) {
            // the Flight Recorder takes no notice of java.io.tmpdir, and separates its options by commas
            flags.add("-XX:FlightRecorderOptions=repository="
                    + home.resolve("jfr").toAbsolutePath());
        }
        return new ChildJvm(
                RunChild.class.getName(),
                Installation.here().classPath(jars, derby.derby()),
                flags,
                home,
                patience(),
                out().resolve(name + ".log"));
    }

    /** The flags that may matter to the figures. */
    public static List<String> jvmFlags(String heap) {
        return List.of("-Xms" + heap, "-Xmx" + heap, "-XX:+UseG1GC");
    }

    // --- the report --------------------------------------------------------------------------------------------------

    @Override
    protected String ratioOfPairs() {
        return "ratioToDerby";
    }

    protected final boolean isWithinPool(Run<Setting, Contender, A> run) {
        return pool(run.setting()).holds(run.timed(DerbyAnswer::maxResidentPages));
    }

    /** Whether the run ended, every check held, and the cache kept to its pool. */
    @Override
    protected boolean isValid(Run<Setting, Contender, A> run) {
        return super.isValid(run) && isWithinPool(run);
    }

    /** A warning about a timed run whose cache did not keep to its pool. */
    protected final List<String> overfull(Run<Setting, Contender, A> run, A answer) {
        return isWithinPool(run)
                ? List.of()
                : List.of(pool(run.setting()).overfull(run.cell(), answer.maxResidentPages()));
    }

    protected final Column<Run<Setting, Contender, A>> poolPages() {
        return figure("poolPages", run -> pool(run.setting()).pages());
    }

    protected final Column<Run<Setting, Contender, A>> maxResidentPages() {
        return timed("maxResidentPages", DerbyAnswer::maxResidentPages)
                .as("max resident", "%,.0f")
                .largest()
                .badIf(run -> !isWithinPool(run));
    }

    /** Adds the chart of the rate and that of its ratios. */
    protected final Report addCharts(Report report, String title, String rateUnit, String ratioUnit, String... each) {
        return report.add("derbyProperties", commonProperties())
                .chart(Chart.bars(title, "terminals", rate(), rateUnit, each))
                .chart(Chart.bars(
                        "Ratio with its 95 % interval",
                        "terminals", "ratio", "times the baseline's " + ratioUnit, each));
    }

    @Override
    protected Comparison<Run<Setting, Contender, A>> comparison(Results<Run<Setting, Contender, A>> results) {
        return new Comparison<>(results, "the " + unit);
    }
}
