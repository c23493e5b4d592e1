// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.tpcc;

import io.clockhand.workbench.advice.AdviceOptions;
import io.clockhand.workbench.derby.Contender;
import io.clockhand.workbench.derby.DerbyOptions;
import io.clockhand.workbench.derby.Durability;
import io.clockhand.workbench.derby.Pool;
import io.clockhand.workbench.environment.Installation;
import io.clockhand.workbench.options.Choice;
import io.clockhand.workbench.options.CommaList;
import io.clockhand.workbench.options.CommonOptions;
import io.clockhand.workbench.options.OptionValues;
import io.clockhand.workbench.options.TimeOptions;
import io.clockhand.workbench.options.Usage;
import io.clockhand.workbench.report.Cell;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of {@code tpcc}. */
final class Settings {
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

    @Option(
            names = "--warehouses",
            paramLabel = "N",
            description = "Scale, about 140 MB each (default: ${DEFAULT-VALUE}).")
    private int warehouses = 2;

    @Mixin
    private DerbyOptions derby = new DerbyOptions(CommaList.of(1, 4));

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
            converter = DurabilityChoice.class,
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

    @Mixin
    private TimeOptions times = new TimeOptions(5, 0.3);

    @Mixin
    private CommonOptions common = new CommonOptions();

    static final class DurabilityChoice extends Choice<Durability> {
        DurabilityChoice() {
            super("durability", List.of(Durability.values()), Durability::toString);
        }
    }

    /** Refuses wrong values, and fills in the defaults that depend on others. */
    void check(Usage usage, Installation installation) {
        usage.requireWithin("--warehouses", warehouses, 1, MOST_WAREHOUSES);
        usage.require(leastNewOrders >= 0, "--least-new-orders must not be negative, not " + leastNewOrders);
        advice.check(usage);
        times.check(usage, derby.names());
        Pool.checkPercent(usage, poolPercent);
        usage.require(
                poolPages == null || poolPages >= Pool.FEWEST_PAGES,
                "--pool-pages must be at least " + Pool.FEWEST_PAGES + ", Derby's least, not " + poolPages);
        usage.require(
                poolPages == null || !usage.isTyped("--pool-percent"),
                "--pool-percent and --pool-pages exclude each other");
        poolPercent = poolPages == null ? poolPercent : null;
        derby.check(usage, installation);
        if (record != null) {
            usage.require(
                    derby.names().size() == 1 && derby.terminals().size() == 1,
                    "--record records a single run: name one cache by --caches and one number by --terminals");
            usage.require(
                    record.toString().endsWith(RECORDED),
                    "--record needs a file that ends in " + RECORDED + ", not " + record);
        }
    }

    /** Gets the references to pages, or null. */
    Path record() {
        return record;
    }

    long leastNewOrders() {
        return leastNewOrders;
    }

    int warehouses() {
        return warehouses;
    }

    DerbyOptions derby() {
        return derby;
    }

    AdviceOptions advice() {
        return advice;
    }

    TimeOptions times() {
        return times;
    }

    Durability durability() {
        return durability;
    }

    boolean keying() {
        return keying;
    }

    long seed() {
        return common.seed();
    }

    Path out() {
        return common.out();
    }

    /** Fails, in one sentence, if the heap it needs is larger than the memory of the machine. */
    Pool pool(long allocatedPages, long memoryBytes) {
        return Pool.of(
                poolPages != null ? poolPages : Pool.share(poolPercent, allocatedPages),
                allocatedPages,
                derby.heap(),
                derby.mostTerminals() * HEAP_PER_TERMINAL
                        + warehouses * HEAP_PER_WAREHOUSE
                        + (record == null ? 0 : HEAP_OF_RECORDING + allocatedPages * HEAP_PER_RECORDED_PAGE),
                derby.names().size(),
                memoryBytes,
                (poolPages == null ? "--pool-percent" : "--pool-pages") + " or --warehouses");
    }

    /**
     * Hits and I/O are counted in a shorter run, though not in less than three seconds if those are measured; but that
     * run is recorded, too, and then as long as the others.
     */
    int countedSeconds() {
        return record != null ? times.seconds() : Math.max(Math.min(times.seconds(), 3), times.seconds() / 3);
    }

    /** All measured runs, by groups that are compared, then all counted ones, one by one. */
    List<List<Cell<Setting, Contender>>> plan() {
        List<Setting> settings = derby.terminals().stream().map(Setting::new).toList();
        List<List<Cell<Setting, Contender>>> groups =
                new ArrayList<>(Cell.plan(settings, derby.caches(), times.repeat()));
        for (Setting setting : settings) {
            Cell.group(setting, derby.caches(), 0).forEach(cell -> groups.add(List.of(cell)));
        }
        return groups;
    }

    /** A pool given in pages makes the percentage null. */
    Map<String, Object> asOptions() {
        Map<String, Object> options = OptionValues.of(this);
        options.put("countedSeconds", countedSeconds());
        return options;
    }
}
