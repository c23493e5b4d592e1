// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.tpcc;

import io.clockhand.workbench.derby.Contender;
import io.clockhand.workbench.derby.DataSet;
import io.clockhand.workbench.derby.DerbyExperiment;
import io.clockhand.workbench.derby.DerbyProperties;
import io.clockhand.workbench.derby.DerbyProperties.Durability;
import io.clockhand.workbench.derby.Pool;
import io.clockhand.workbench.derby.driver.Database.Loaded;
import io.clockhand.workbench.environment.Disk;
import io.clockhand.workbench.environment.Journal;
import io.clockhand.workbench.experiment.Launch;
import io.clockhand.workbench.experiment.Order;
import io.clockhand.workbench.experiment.Run;
import io.clockhand.workbench.experiment.Workplace;
import io.clockhand.workbench.experiment.options.AdviceOptions;
import io.clockhand.workbench.experiment.options.CommaList;
import io.clockhand.workbench.experiment.options.TimeOptions;
import io.clockhand.workbench.experiment.options.Usage;
import io.clockhand.workbench.workload.TraceWriter;
import io.clockhand.workbench.workload.tpcc.Scale;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** TPC-C on Derby: what is loaded and what is run; its subclass reports it. */
abstract class TpccExperiment extends DerbyExperiment<RunAnswer> {
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
    int warehouses = 2;

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
    Durability durability = Durability.TEST;

    @Option(names = "--keying", description = "Key and think as slowly as people do (clause 5.2.5).")
    boolean keying;

    @Option(
            names = "--record",
            paramLabel = "FILE",
            description = "Records the references to pages of a run with one cache and one number of terminals, for"
                    + " replay and simulate; a name that ends in .rw32be.")
    Path record;

    @Option(
            names = "--least-new-orders",
            paramLabel = "N",
            description = "A run that counts hits, or is recorded, goes on until this number of new orders was entered"
                    + " (default: ${DEFAULT-VALUE}).")
    private long leastNewOrders;

    @Mixin
    AdviceOptions advice = new AdviceOptions();

    /** Null for the standard one. */
    private final Scale otherScale;

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
                        "Not every run ended with all twelve consistency conditions intact, see above."),
                CommaList.of(1, 4),
                "new-orders a minute");
        this.otherScale = otherScale;
    }

    @Override
    protected void check(Usage usage) {
        usage.requireWithin("--warehouses", warehouses, 1, MOST_WAREHOUSES);
        usage.require(leastNewOrders >= 0, "--least-new-orders must not be negative, not " + leastNewOrders);
        advice.check(usage);
        Pool.checkPercent(usage, poolPercent);
        usage.require(
                poolPages == null || poolPages >= Pool.FEWEST_PAGES,
                "--pool-pages must be at least " + Pool.FEWEST_PAGES + ", Derby's least, not " + poolPages);
        usage.require(
                poolPages == null || !usage.isTyped("--pool-percent"),
                "--pool-percent and --pool-pages exclude each other");
        poolPercent = poolPages == null ? poolPercent : null;
        super.check(usage);
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
        return derby().terminals().stream()
                .map(terminals -> new Setting(terminals, null))
                .toList();
    }

    // --- the database ------------------------------------------------------------------------------------------------

    private Scale scale() {
        return otherScale != null ? otherScale : Scale.standard(warehouses, seed());
    }

    @Override
    protected DataSet.Content content() {
        return new DataSet.Content("tpcc-w" + scale().warehouses(), scale(), seed());
    }

    @Override
    protected Order<Loaded> loadOrder(String directory) {
        return new Loader.Load(directory, scale());
    }

    @Override
    public int seconds(boolean loaded) {
        int around = RUN_SECONDS + warehouses + times().warmup();
        int load = loaded ? 0 : 5 + LOAD_SECONDS_PER_WAREHOUSE * warehouses;
        int index = Consistency.areIndexesChecked(warehouses) ? INDEX_SECONDS_PER_WAREHOUSE * warehouses : 0;
        int runs = settings().size() * contenders().size();
        return load
                + runs * times().repeat() * (around + times().seconds())
                + runs * (around + countedSeconds() + index);
    }

    /** The longest that a child does without a report is to write back, recover and check the whole database. */
    @Override
    protected Sizes sizes() {
        long databaseBytes = warehouses * WAREHOUSE_BYTES;
        long added = (times().warmup() + times().seconds()) * (keying ? 0 : BYTES_PER_SECOND);
        return new Sizes(
                databaseBytes,
                databaseBytes + LOG_BYTES + added,
                warehouses * WAREHOUSE_PAGES,
                (poolPages == null ? "--pool-percent" : "--pool-pages") + " or --warehouses",
                Duration.ofMinutes(10L + warehouses),
                "SERIALIZABLE (Stock-Level: READ_COMMITTED)");
    }

    @Override
    protected int poolPages(Setting setting, long allocatedPages) {
        return poolPages != null ? poolPages : Pool.share(poolPercent, allocatedPages);
    }

    /** All settings have the same. */
    final Pool pool() {
        return pool(settings().get(0));
    }

    @Override
    protected long heapBesides(long allocatedPages) {
        return derby().mostTerminals() * HEAP_PER_TERMINAL
                + warehouses * HEAP_PER_WAREHOUSE
                + (record == null ? 0 : HEAP_OF_RECORDING + allocatedPages * HEAP_PER_RECORDED_PAGE);
    }

    @Override
    protected void describePools(long allocatedPages, Journal journal) {
        journal.say(String.format(
                Locale.ROOT,
                "The pool of %,d pages of 4 KiB is %.0f %% of the %,d pages loaded.",
                pool().pages(),
                100.0 * pool().pages() / allocatedPages,
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

    /** Without those that name the cache. */
    @Override
    protected Map<String, String> commonProperties() {
        return DerbyProperties.ofRun(
                Contender.of(Contender.DERBY),
                pool().pages(),
                durability,
                derby().names().size());
    }

    @Override
    protected Map<String, String> properties(Launch<Setting, Contender> launch) {
        Map<String, String> lines =
                DerbyProperties.ofRun(launch.contender(), pool().pages(), durability, launch.contenders());
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

    private TpccRun order(Launch<Setting, Contender> launch, int seconds, long inputSeed) {
        boolean counted = launch.timing() == null;
        return new TpccRun(
                task(launch, seconds, counted ? leastNewOrders : 0, inputSeed),
                scale(),
                keying,
                counted,
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

    /** A pool given in pages makes the percentage null. */
    @Override
    protected Map<String, Object> options() {
        Map<String, Object> options = super.options();
        options.put("countedSeconds", countedSeconds());
        return options;
    }
}
