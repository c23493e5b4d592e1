// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.select;

import io.clockhand.workbench.derby.Contender;
import io.clockhand.workbench.derby.DerbyOptions;
import io.clockhand.workbench.derby.Pool;
import io.clockhand.workbench.environment.Installation;
import io.clockhand.workbench.options.Choice;
import io.clockhand.workbench.options.CommaList;
import io.clockhand.workbench.options.CommonOptions;
import io.clockhand.workbench.options.OptionValues;
import io.clockhand.workbench.options.TimeOptions;
import io.clockhand.workbench.options.Usage;
import io.clockhand.workbench.report.Cell;
import io.clockhand.workbench.select.driver.Keys;
import io.clockhand.workbench.select.driver.Rows;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of {@code derby-select}. */
final class Settings {
    private static final int FEWEST_ROWS = 100;
    private static final int MOST_ROWS = 100_000_000;
    /** Its connection with one prepared statement. */
    private static final long HEAP_PER_TERMINAL = 1 << 19;

    @Mixin
    private DerbyOptions derby = new DerbyOptions(CommaList.of(1, 2, 4, 8, 16));

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
            converter = KeyChoice.class,
            description = "All rows alike, or four in five selects to the first fifth of the keys, and so of the pages"
                    + " (default: ${DEFAULT-VALUE}).")
    private Keys keys = Keys.UNIFORM;

    @Mixin
    private TimeOptions times = new TimeOptions(3, 0.3);

    @Mixin
    private CommonOptions common = new CommonOptions();

    static final class KeyChoice extends Choice<Keys> {
        KeyChoice() {
            super("choice of keys", List.of(Keys.values()), Keys::toString);
        }
    }

    /** Refuses wrong values, and fills in the defaults that depend on others. */
    void check(Usage usage, Installation installation) {
        usage.requireOnce("--pool-percent", "a pool", poolPercent);
        poolPercent.forEach(percent -> Pool.checkPercent(usage, percent));
        usage.requireWithin("--rows", rows, FEWEST_ROWS, MOST_ROWS);
        times.check(usage, derby.names());
        derby.check(usage, installation);
    }

    DerbyOptions derby() {
        return derby;
    }

    TimeOptions times() {
        return times;
    }

    List<Double> poolPercents() {
        return poolPercent;
    }

    int rows() {
        return rows;
    }

    Keys keys() {
        return keys;
    }

    long seed() {
        return common.seed();
    }

    Path out() {
        return common.out();
    }

    Rows content() {
        return new Rows(rows, seed());
    }

    /** Every pool at every number of terminals, by groups that are compared. */
    List<List<Cell<Setting, Contender>>> plan() {
        List<Setting> settings = new ArrayList<>();
        for (double percent : poolPercent) {
            derby.terminals().forEach(terminals -> settings.add(new Setting(terminals, percent)));
        }
        return Cell.plan(settings, derby.caches(), times.repeat());
    }

    /** Fails, in one sentence, if the heap it needs is larger than the memory of the machine. */
    Pool pool(double percent, long allocatedPages, long memoryBytes) {
        return Pool.of(
                Pool.share(percent, allocatedPages),
                allocatedPages,
                derby.heap(),
                derby.mostTerminals() * HEAP_PER_TERMINAL,
                derby.names().size(),
                memoryBytes,
                "--pool-percent or --rows");
    }

    /** Every run has the heap that the largest pool needs, so that pools differ in nothing else. */
    Pool largestPool(long allocatedPages, long memoryBytes) {
        return pool(Collections.max(poolPercent), allocatedPages, memoryBytes);
    }

    Map<String, Object> asOptions() {
        return OptionValues.of(this);
    }
}
