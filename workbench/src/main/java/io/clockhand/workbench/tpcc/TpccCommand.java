// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.tpcc;

import io.clockhand.workbench.Names;
import io.clockhand.workbench.Usage;
import io.clockhand.workbench.derby.Contender;
import io.clockhand.workbench.derby.Contenders;
import io.clockhand.workbench.derby.Durability;
import io.clockhand.workbench.derby.Pool;
import io.clockhand.workbench.environment.Installation;
import io.clockhand.workbench.tpcc.load.Scale;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** The command {@code tpcc}: its options, and what is wrong with them. */
@Command(
        name = "tpcc",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        description =
                "Runs TPC-C on an embedded Apache Derby, with Derby's own page cache and with Clockhand's, each run"
                        + " in its own JVM and on its own copy of the data, and checks the data afterwards.",
        footer = "Not an audited TPC-C result.")
public final class TpccCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--warehouses",
            paramLabel = "N",
            description = "Scale, about 140 MB each (default: ${DEFAULT-VALUE}).")
    private int warehouses = 2;

    @Option(
            names = "--terminals",
            paramLabel = "N,…",
            split = ",",
            description = "Client threads; a list makes a run for each (default: 1,4).")
    private List<Integer> terminals = List.of(1, 4);

    @Option(
            names = "--caches",
            paramLabel = "NAME,…",
            split = ",",
            converter = Contenders.class,
            completionCandidates = Contenders.class,
            description = "derby is Derby's own cache, the others are policies of Clockhand's:"
                    + " ${COMPLETION-CANDIDATES} (default: derby,nb-gclock3).")
    private List<Contender> caches = List.of(Contender.of("derby"), Contender.of("nb-gclock3"));

    @Option(names = "--seconds", paramLabel = "S", description = "Measured per run (default: ${DEFAULT-VALUE}).")
    private int seconds = 15;

    @Option(names = "--warmup", paramLabel = "S", description = "Before measuring (default: ${DEFAULT-VALUE}).")
    private int warmup = 5;

    @Option(
            names = "--repeat",
            paramLabel = "N",
            description = "Runs of each cache at each number of terminals" + " (default: ${DEFAULT-VALUE}).")
    private int repeat = 2;

    @Option(
            names = "--pool-percent",
            paramLabel = "P",
            description = "The page cache, as a share of the allocated pages"
                    + " of all tables and indexes (default: ${DEFAULT-VALUE}).")
    private double poolPercent = 20;

    @Option(
            names = "--pool-pages",
            paramLabel = "N",
            description = "The page cache in pages, instead of --pool-percent.")
    private Integer poolPages;

    @Option(
            names = "--durability",
            paramLabel = "test|full",
            converter = Durabilities.class,
            description = "Whether a commit waits for the disk" + " (full) or not (default: ${DEFAULT-VALUE}).")
    private Durability durability = Durability.TEST;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Gets tpcc.json, tpcc.csv and tpcc.html" + " (default: ${DEFAULT-VALUE}).")
    private Path out = Path.of("clockhand-out");

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "Keeps the loaded data for the next time" + " (default: ${DEFAULT-VALUE}).")
    private Path data = Path.of("clockhand-out", "data");

    @Option(names = "--keying", description = "Key and think as slowly as people do (clause 5.2.5).")
    private boolean keying;

    @Option(
            names = "--heap",
            paramLabel = "SIZE",
            description = "Of every run's JVM, such as 800m or 2g (default:" + " enough for the page cache).")
    private String heap;

    @Option(
            names = "--derby",
            paramLabel = "VERSION",
            description = "One of those beside the jar (default: the newest" + " that this Java runs).")
    private String derby;

    @Option(names = "--seed", paramLabel = "N", description = "Of all that is drawn (default: ${DEFAULT-VALUE}).")
    private long seed = 1;

    @Option(names = "--profile", description = "Write a Flight Recorder profile of each measured run to --out.")
    private boolean profile;

    @Option(names = "--debug", description = "Show stack traces.")
    private boolean debug;

    @Override
    public Integer call() {
        Installation installation = Installation.here();
        validate(installation);
        Scale scale = Scale.standard(warehouses, seed);
        return new TpccRuns(settings(), scale, installation, System.out, System.err).run() ? 0 : 1;
    }

    private void validate(Installation installation) {
        Usage usage = new Usage(spec);
        usage.require(warehouses >= 1 && warehouses <= 1000, "--warehouses must lie in 1 … 1000, not " + warehouses);
        usage.requireTerminals(terminals);
        usage.requireOnce("--caches", "a cache", caches);
        usage.requireTimes(seconds, warmup, repeat);
        usage.require(
                poolPercent > 0 && poolPercent <= 1000, "--pool-percent must lie in 0 … 1000, not " + poolPercent);
        usage.require(
                poolPages == null || poolPages >= Pool.FEWEST_PAGES,
                "--pool-pages must be at least " + Pool.FEWEST_PAGES + ", Derby's least, not " + poolPages);
        usage.require(
                poolPages == null || !spec.commandLine().getParseResult().hasMatchedOption("--pool-percent"),
                "--pool-percent and --pool-pages exclude each other");
        usage.requireHeap(heap);
        derby = usage.chosenDerby(installation, derby);
    }

    private Settings settings() {
        return new Settings(
                warehouses,
                terminals,
                caches,
                seconds,
                warmup,
                repeat,
                poolPercent,
                poolPages,
                durability,
                out,
                data,
                keying,
                heap,
                derby,
                seed,
                profile,
                debug);
    }

    /** Refuses what is no durability. */
    static final class Durabilities implements ITypeConverter<Durability> {
        @Override
        public Durability convert(String name) {
            return Arrays.stream(Durability.values())
                    .filter(durability -> durability.toString().equals(name.toLowerCase(Locale.ROOT)))
                    .findFirst()
                    .orElseThrow(() -> new TypeConversionException(Names.unknown(
                            "durability",
                            name,
                            Arrays.stream(Durability.values())
                                    .map(Durability::toString)
                                    .toList())));
        }
    }
}
