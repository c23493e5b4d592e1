// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.select;

import io.clockhand.workbench.Names;
import io.clockhand.workbench.Usage;
import io.clockhand.workbench.derby.Contender;
import io.clockhand.workbench.derby.Contenders;
import io.clockhand.workbench.environment.Installation;
import io.clockhand.workbench.select.driver.Keys;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** The command {@code derby-select}: its options, and what is wrong with them. */
@Command(
        name = "derby-select",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        description =
                "Selects rows by their primary key on an embedded Apache Derby, with Derby's own page cache and with"
                        + " Clockhand's, each run in its own JVM, and checks the content of every row.",
        footer = "Each terminal is a thread with a connection and a prepared statement of its own, autocommit off,"
                + " isolation READ_COMMITTED, and commits after every 100 selects: so little but the locks, the"
                + " index, the row and the cache is measured.")
public final class SelectCommand implements Callable<Integer> {
    private static final int FEWEST_ROWS = 100;
    private static final int MOST_ROWS = 100_000_000;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--caches",
            paramLabel = "NAME,…",
            split = ",",
            converter = Contenders.class,
            completionCandidates = Contenders.class,
            description = "derby is Derby's own cache, the others are policies of Clockhand's:"
                    + " ${COMPLETION-CANDIDATES} (default: derby,nb-gclock3).")
    private List<Contender> caches = List.of(Contender.of("derby"), Contender.of("nb-gclock3"));

    @Option(
            names = "--terminals",
            paramLabel = "N,…",
            split = ",",
            description = "Client threads; a list makes a run for each (default: 1,2,4,8,16).")
    private List<Integer> terminals = List.of(1, 2, 4, 8, 16);

    @Option(
            names = "--pool-percent",
            paramLabel = "P,…",
            split = ",",
            description = "The page cache, as a share of the pages of the table, its index and Derby's catalogues; a"
                    + " list makes a run for each (default: 100,10).")
    private List<Double> poolPercents = List.of(100.0, 10.0);

    @Option(
            names = "--rows",
            paramLabel = "N",
            description = "Of some 200 bytes each; the default fills about 30,000 pages of 4 KiB"
                    + " (default: ${DEFAULT-VALUE}).")
    private int rows = 440_000;

    @Option(
            names = "--keys",
            paramLabel = "uniform|80-20",
            converter = KeyChoices.class,
            description = "All rows alike, or four in five selects to the first fifth of the keys, and so of the pages"
                    + " (default: ${DEFAULT-VALUE}).")
    private Keys keys = Keys.UNIFORM;

    @Option(names = "--seconds", paramLabel = "S", description = "Measured per run (default: ${DEFAULT-VALUE}).")
    private int seconds = 4;

    @Option(
            names = "--warmup",
            paramLabel = "S",
            description = "Before measuring, after the pool was filled (default: ${DEFAULT-VALUE}).")
    private int warmup = 2;

    @Option(
            names = {"--repeat", "--repeats"},
            paramLabel = "N",
            description = "Runs of each cache with each pool at each number of terminals; a difference is claimed from"
                    + " five on (default: ${DEFAULT-VALUE}).")
    private int repeat = 2;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description =
                    "Gets derby-select.json, derby-select.csv and derby-select.html" + " (default: ${DEFAULT-VALUE}).")
    private Path out = Path.of("clockhand-out");

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "Keeps the loaded data for the next time" + " (default: ${DEFAULT-VALUE}).")
    private Path data = Path.of("clockhand-out", "data");

    @Option(
            names = "--heap",
            paramLabel = "SIZE",
            description = "Of every run's JVM, such as 800m or 2g (default:" + " enough for the largest pool).")
    private String heap;

    @Option(
            names = "--derby",
            paramLabel = "VERSION",
            description = "One of those beside the jar (default: the newest" + " that this Java runs).")
    private String derby;

    @Option(names = "--seed", paramLabel = "N", description = "Of all that is drawn (default: ${DEFAULT-VALUE}).")
    private long seed = 1;

    @Option(names = "--profile", description = "Write a Flight Recorder profile of each run to --out.")
    private boolean profile;

    @Option(names = "--debug", description = "Show stack traces.")
    private boolean debug;

    @Override
    public Integer call() {
        Installation installation = Installation.here();
        validate(installation);
        return new SelectRuns(settings(), installation, System.out, System.err).run() ? 0 : 1;
    }

    private void validate(Installation installation) {
        Usage usage = new Usage(spec);
        usage.requireTerminals(terminals);
        usage.requireOnce("--caches", "a cache", caches);
        usage.requireOnce("--pool-percent", "a pool", poolPercents);
        for (double percent : poolPercents) {
            usage.require(percent > 0 && percent <= 1000, "--pool-percent must lie in 0 … 1000, not " + percent);
        }
        usage.require(
                rows >= FEWEST_ROWS && rows <= MOST_ROWS,
                "--rows must lie in " + FEWEST_ROWS + " … " + MOST_ROWS + ", not " + rows);
        usage.requireTimes(seconds, warmup, repeat);
        usage.requireHeap(heap);
        derby = usage.chosenDerby(installation, derby);
    }

    private Settings settings() {
        return new Settings(
                caches,
                terminals,
                poolPercents,
                rows,
                keys,
                seconds,
                warmup,
                repeat,
                out,
                data,
                heap,
                derby,
                seed,
                profile,
                debug);
    }

    /** Refuses what is no choice of keys. */
    static final class KeyChoices implements ITypeConverter<Keys> {
        @Override
        public Keys convert(String name) {
            return Arrays.stream(Keys.values())
                    .filter(keys -> keys.toString().equals(name))
                    .findFirst()
                    .orElseThrow(() -> new TypeConversionException(Names.unknown(
                            "choice of keys",
                            name,
                            Arrays.stream(Keys.values()).map(Keys::toString).toList())));
        }
    }
}
