// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.sharedupdate;

import io.clockhand.wal.WideLsn;
import io.clockhand.workbench.options.CommaList;
import io.clockhand.workbench.options.CommonOptions;
import io.clockhand.workbench.options.OptionValues;
import io.clockhand.workbench.options.ThreadOptions;
import io.clockhand.workbench.options.TimeOptions;
import io.clockhand.workbench.options.Usage;
import io.clockhand.workbench.report.Cell;
import io.clockhand.workbench.sharedupdate.driver.Load;
import io.clockhand.workbench.sharedupdate.driver.LogCost;
import io.clockhand.workbench.sharedupdate.driver.Protocol;
import io.clockhand.workbench.sharedupdate.driver.RowLayout;
import io.clockhand.workbench.sharedupdate.driver.Rows;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of {@code shared-update}. */
final class Settings {
    private static final int MOST_ALLOCATING = 1_000;
    private static final List<Integer> ROW_BYTES = List.of(Byte.BYTES, Short.BYTES, Integer.BYTES, Long.BYTES);
    private static final List<Integer> LSN_BYTES = List.of(Long.BYTES, WideLsn.BYTES);
    private static final int PART_COUNTED = 8;
    private static final List<Protocol> ALLOCATING = List.of(Protocol.EXCLUSIVE_LATCH, Protocol.SHARED);

    @Option(
            names = "--load",
            paramLabel = "NAME",
            converter = Choices.OfLoads.class,
            completionCandidates = Choices.OfLoads.class,
            description = "${COMPLETION-CANDIDATES}; see below (default: ${DEFAULT-VALUE}).")
    private Load load = Load.ROWS;

    @Option(
            names = "--protocols",
            paramLabel = "NAME,…",
            split = ",",
            converter = Choices.OfProtocols.class,
            completionCandidates = Choices.OfProtocols.class,
            description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}; exclusive-latch,shared with --load"
                    + " allocate).")
    private List<Protocol> protocols =
            CommaList.of(Protocol.EXCLUSIVE_BEST, Protocol.EXCLUSIVE_LOCK, Protocol.EXCLUSIVE_SPIN, Protocol.SHARED);

    @Mixin
    private ThreadOptions threads = new ThreadOptions(CommaList.of(1, 2, 4));

    @Option(
            names = "--row-layout",
            paramLabel = "NAME,…",
            split = ",",
            converter = Choices.OfLayouts.class,
            completionCandidates = Choices.OfLayouts.class,
            description = "${COMPLETION-CANDIDATES}; a list makes a run for each (default: ${DEFAULT-VALUE}).")
    private List<RowLayout> rowLayout = CommaList.of(RowLayout.PADDED);

    @Option(
            names = "--row-bytes",
            paramLabel = "N,…",
            split = ",",
            description = "Size of a row: 1, 2, 4 or 8; a list makes a run for each (default: ${DEFAULT-VALUE}).")
    private List<Integer> rowBytes = CommaList.of(Long.BYTES);

    @Option(
            names = "--log",
            paramLabel = "cpu:Tus|wait:Tus|file,…",
            split = ",",
            converter = Choices.OfLogs.class,
            description = "Cost of an append, see below; a list makes a run for each (default: ${DEFAULT-VALUE};"
                    + " wait:20us with --load allocate).")
    private List<LogCost> log = CommaList.of(LogCost.parse("cpu:1us"));

    @Option(
            names = "--page-lsn",
            paramLabel = "N,…",
            split = ",",
            description = "Bytes of the page's LSN: 8, or 10 as some engines have them; a list makes a run for each"
                    + " (default: ${DEFAULT-VALUE}).")
    private List<Integer> pageLsn = CommaList.of(Long.BYTES);

    @Mixin
    private TimeOptions times = new TimeOptions(3, 0.15);

    @Mixin
    private CommonOptions common = new CommonOptions();

    /** Refuses wrong values, and fills in the defaults that depend on the load. */
    void check(Usage usage) {
        if (load == Load.ALLOCATE) {
            fillForAllocations(usage);
        }
        usage.requireOnce("--protocols", "a protocol", protocols);
        usage.require(
                !protocols.contains(Protocol.EXCLUSIVE_BEST) || protocols.containsAll(Protocol.CANDIDATES),
                Protocol.EXCLUSIVE_BEST + " is the better of exclusive-lock and exclusive-spin, so --protocols must"
                        + " name both");
        threads.check(usage);
        usage.requireEach("--threads", threads.threads(), load == Load.ALLOCATE ? MOST_ALLOCATING : Rows.MOST_THREADS);
        usage.requireOnce("--row-layout", "a layout", rowLayout);
        requireOf(usage, "--row-bytes", rowBytes, ROW_BYTES);
        requireOf(usage, "--page-lsn", pageLsn, LSN_BYTES);
        usage.requireOnce("--log", "a log", log);
        times.check(usage, protocols.stream().map(Protocol::label).toList());
    }

    private void fillForAllocations(Usage usage) {
        for (String option : List.of("--row-layout", "--row-bytes", "--page-lsn")) {
            usage.require(!usage.isTyped(option), option + " is for --load rows: a free-space map has its own rows");
        }
        rowBytes = List.of(Byte.BYTES);
        if (!usage.isTyped("--protocols")) {
            protocols = ALLOCATING;
        }
        if (!usage.isTyped("--log")) {
            log = List.of(LogCost.parse("wait:20us"));
        }
        usage.require(
                ALLOCATING.containsAll(protocols),
                "--load allocate compares pools with and without shared updates: --protocols exclusive-latch,shared");
    }

    private static void requireOf(Usage usage, String option, List<Integer> values, List<Integer> possible) {
        usage.require(possible.containsAll(values), option + " must be one of " + possible + ", not " + values);
        usage.requireOnce(option, "a number", values);
    }

    Load load() {
        return load;
    }

    TimeOptions times() {
        return times;
    }

    /** In the order typed; the best exclusive one among them is computed, not run. */
    List<Protocol> protocols() {
        return protocols;
    }

    List<Integer> threads() {
        return threads.threads();
    }

    int mostThreads() {
        return threads.most();
    }

    /** Every protocol that is run, with every number of threads. */
    List<Contender> contenders() {
        return protocols.stream()
                .filter(protocol -> protocol != Protocol.EXCLUSIVE_BEST)
                .flatMap(protocol -> threads.threads().stream().map(count -> new Contender(protocol, count)))
                .toList();
    }

    /** Every setting, by groups that are compared. */
    List<List<Cell<Setting, Contender>>> plan() {
        List<Setting> settings = new ArrayList<>();
        for (LogCost cost : log) {
            for (RowLayout layout : rowLayout) {
                RowLayout known = load == Load.ROWS ? layout : null;
                for (int bytes : rowBytes) {
                    pageLsn.forEach(lsn -> settings.add(new Setting(load, cost, known, bytes, lsn)));
                }
            }
        }
        return Cell.plan(settings, contenders(), times.repeat());
    }

    /** Waits are counted in a shorter run. */
    int countedSeconds() {
        return Math.max(1, times.seconds() / PART_COUNTED);
    }

    /** Those of these lists that have several values. */
    List<String> severalOf(String... fields) {
        Map<String, Object> options = asOptions();
        return Arrays.stream(fields)
                .filter(field -> options.get(field) instanceof List<?> list && list.size() > 1)
                .toList();
    }

    boolean hasWaits() {
        return log.stream().anyMatch(LogCost::waits);
    }

    boolean hasFile() {
        return log.stream().anyMatch(cost -> cost.kind() == LogCost.Kind.FILE);
    }

    long seed() {
        return common.seed();
    }

    Path out() {
        return common.out();
    }

    Map<String, Object> asOptions() {
        Map<String, Object> options = OptionValues.of(this);
        options.put("pageBytes", Rows.PAGE_BYTES);
        options.put("countedSeconds", countedSeconds());
        return options;
    }
}
