// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.tpcc;

import io.clockhand.workbench.derby.Contender;
import io.clockhand.workbench.derby.DataSet;
import io.clockhand.workbench.derby.DerbyProperties;
import io.clockhand.workbench.derby.Pool;
import io.clockhand.workbench.environment.ChildJvm;
import io.clockhand.workbench.environment.CleanUp;
import io.clockhand.workbench.environment.CommandFailure;
import io.clockhand.workbench.environment.Disk;
import io.clockhand.workbench.environment.Environment;
import io.clockhand.workbench.environment.Failures;
import io.clockhand.workbench.environment.Installation;
import io.clockhand.workbench.environment.Journal;
import io.clockhand.workbench.environment.Progress;
import io.clockhand.workbench.experiment.Experiment;
import io.clockhand.workbench.experiment.Launch;
import io.clockhand.workbench.experiment.Order;
import io.clockhand.workbench.experiment.Run;
import io.clockhand.workbench.experiment.RunChild;
import io.clockhand.workbench.experiment.Workplace;
import io.clockhand.workbench.experiment.options.TimeOptions;
import io.clockhand.workbench.experiment.options.Usage;
import io.clockhand.workbench.experiment.report.Figures;
import io.clockhand.workbench.workload.TraceWriter;
import io.clockhand.workbench.workload.tpcc.Scale;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Mixin;

/**
 * TPC-C on Derby: the database is loaded once, and terminals work on a copy of it in each run. Its subclass reports the
 * runs.
 */
abstract class TpccExperiment extends Experiment<TpccExperiment.Setting, Contender, RunAnswer> {
    /** Its connection with twenty prepared statements, its latencies, and its share of a delivery worker. */
    private static final long HEAP_PER_TERMINAL = 3 << 19;
    /** For the sums of the check after the run. */
    private static final long HEAP_PER_WAREHOUSE = 4 << 20;

    private static final long HEAP_OF_RECORDING = 8 << 20;
    private static final long HEAP_PER_RECORDED_PAGE = 160;

    // Needs of the command, on the safe side of a slow laptop.
    private static final long WAREHOUSE_BYTES = 150_000_000;
    /** A run's log, and the rows it adds at a thousand new-orders a second. */
    private static final long LOG_BYTES = 100_000_000;

    private static final long BYTES_PER_SECOND = 2_000_000;

    @Mixin
    TpccOptions given = new TpccOptions();

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

    /**
     * Makes the experiment.
     *
     * @param otherScale of the database; null for the standard one
     */
    TpccExperiment(Scale otherScale) {
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
        times().check(usage, given.caches);
        given.check(usage);
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

    // --- the database ------------------------------------------------------------------------------------------------

    private Scale scale() {
        return otherScale != null ? otherScale : Scale.standard(given.warehouses, seed());
    }

    /** All runs have the same. */
    final Pool pool() {
        return pool;
    }

    @Override
    protected List<String> prepare(Workplace workplace) {
        if (given.record != null) {
            Disk.requireWritable(given.record.toAbsolutePath().getParent(), "the recording");
            workplace.cleanUp().add(TraceWriter.part(given.record));
        }
        cleanUp = workplace.cleanUp();
        Journal journal = workplace.journal();
        dataSet = DataSet.lock(given.data, scale(), given.derby);
        long allocatedPages = dataSet.allocatedPages();
        long toLoad = allocatedPages == 0 ? given.warehouses * WAREHOUSE_BYTES : 0;
        long copies = contenders().size() * copyBytes();
        int minutes = (seconds(toLoad == 0) + 59) / 60;
        journal.say("This takes about " + Figures.counted(minutes, "minutes") + " and "
                + Disk.megabytes(copies + toLoad) + " of disk in " + given.data
                + (toLoad == 0
                        ? "; the loaded data are there already."
                        : ", of which " + Disk.megabytes(toLoad) + " stay for the next time."));
        if (toLoad > 0) {
            sizePool(given.warehouses * 30_000L); // fails before the load if it would fail after it
            Disk.require(dataSet.directory(), toLoad + copies, "loading the database and copying it for a run");
            allocatedPages = load(workplace);
        }
        sizePool(allocatedPages);
        List<String> flags = jvmFlags(pool.heap());
        journal.say(String.format(
                Locale.ROOT,
                "The pool of %,d pages of 4 KiB is %.0f %% of the %,d pages loaded.",
                pool.pages(),
                100.0 * pool.pages() / allocatedPages,
                allocatedPages));
        journal.say("Derby " + given.derby + ", " + String.join(" ", flags) + ", isolation SERIALIZABLE (Stock-Level"
                + " and selects: READ_COMMITTED); every run has these properties:");
        commonProperties().forEach((name, value) -> journal.say("    " + name + "=" + value));
        return flags;
    }

    /** Sizes the pool by the pages of all tables and indexes. */
    final void sizePool(long allocatedPages) {
        long besides = Collections.max(given.terminals) * HEAP_PER_TERMINAL
                + given.warehouses * HEAP_PER_WAREHOUSE
                + (given.record == null ? 0 : HEAP_OF_RECORDING + allocatedPages * HEAP_PER_RECORDED_PAGE);
        pool = Pool.of(given.poolPercent, allocatedPages, besides, contenders().size(), Environment.memory());
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

    /** How long all takes, with the load or without. */
    final int seconds(boolean loaded) {
        int warehouses = given.warehouses;
        int around = 5 + warehouses + times().warmup();
        int load = loaded ? 0 : 5 + 12 * warehouses;
        int index = Consistency.areIndexesChecked(warehouses) ? 5 * warehouses : 0;
        int runs = settings().size() * contenders().size();
        return load
                + runs * times().repeat() * (around + times().seconds())
                + runs * (around + countedSeconds() + index);
    }

    /** Of the working copy of a run, with the data that it adds. */
    private long copyBytes() {
        return given.warehouses * WAREHOUSE_BYTES
                + LOG_BYTES
                + (times().warmup() + times().seconds()) * BYTES_PER_SECOND;
    }

    /** Derby's properties of every run, without those that name the cache. */
    final Map<String, String> commonProperties() {
        return DerbyProperties.ofRun(null, pool.pages(), contenders().size());
    }

    /** The longest that a child does without a report is to write back, recover and check the whole database. */
    @Override
    protected Duration patience() {
        return Duration.ofMinutes(10L + given.warehouses);
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
        Map<String, String> properties = DerbyProperties.ofRun(cache.policy(), pool.pages(), launch.contenders());
        if (isAdvised(launch)) {
            DerbyProperties.advise(properties, given.advice.policies());
        }
        if (isRecorded(launch)) {
            DerbyProperties.record(properties);
        }
        List<String> all = new ArrayList<>(flags);
        String recordings = launch.home().resolve("jfr").toAbsolutePath().toString();
        if ((given.profile || launch.timing() == null) && !recordings.contains(",")) {
            // the Flight Recorder takes no notice of java.io.tmpdir, and separates its options by commas
            all.add("-XX:FlightRecorderOptions=repository=" + recordings);
        }
        return jvm(launch.home(), properties, all, cache.jars(), log);
    }

    private boolean isAdvised(Launch<Setting, Contender> launch) {
        return given.advice.policies() != null
                && launch.timing() == null
                && launch.contender().policy() != null
                && launch.contender().jars().isEmpty();
    }

    private boolean isRecorded(Launch<Setting, Contender> launch) {
        return given.record != null && launch.timing() == null;
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
    final int countedSeconds() {
        return given.record != null
                ? times().seconds()
                : Math.max(Math.min(times().seconds(), 3), times().seconds() / 3);
    }

    private TpccRun order(Launch<Setting, Contender> launch, int seconds, long inputSeed) {
        boolean timed = launch.timing() != null;
        Path profile = out().resolve(launch.fileName() + ".jfr").toAbsolutePath();
        return new TpccRun(
                launch.home().resolve("database").toAbsolutePath().toString(),
                scale(),
                launch.contender(),
                pool.pages(),
                given.work,
                launch.setting().terminals(),
                times().warmup(),
                seconds,
                timed ? 0 : given.leastNewOrders,
                inputSeed,
                timed ? launch.timing().slices() : null,
                timed && given.profile ? profile.toString() : null,
                !timed,
                isRecorded(launch) ? given.record.toAbsolutePath().toString() : null,
                isAdvised(launch));
    }
}
