// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.bpwrapper;

import io.clockhand.workbench.bpwrapper.driver.Form;
import io.clockhand.workbench.bpwrapper.driver.References;
import io.clockhand.workbench.options.AccessOptions;
import io.clockhand.workbench.options.CommaList;
import io.clockhand.workbench.options.CommonOptions;
import io.clockhand.workbench.options.OptionValues;
import io.clockhand.workbench.options.ThreadOptions;
import io.clockhand.workbench.options.TimeOptions;
import io.clockhand.workbench.options.Usage;
import io.clockhand.workbench.report.Cell;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of {@code bp-wrapper}. Runs are timed, or references are counted. */
final class Settings {
    /** Stands for half of each queue among the thresholds. */
    static final int HALF = 0;

    static final int PAGE_BYTES = 4096;

    /** Frames of a pool for each page of a stream with misses: with fewer, the new pages would evict the others. */
    static final int FRAMES_PER_PAGE = 4;

    private static final long DEFAULT_ACCESSES = 4_000_000;
    private static final long DEFAULT_WARMUP_ACCESSES = 1_000_000;
    private static final int FEWEST_FRAMES = FRAMES_PER_PAGE * References.FEWEST_PAGES;
    private static final int MOST_FRAMES = 1 << 24;
    private static final int MOST_QUEUE = 4096;
    private static final double PERCENT = 100;
    private static final int DEFAULT_THRESHOLD = 32;

    @Option(
            names = "--forms",
            paramLabel = "NAME,…",
            split = ",",
            converter = Choices.OfForms.class,
            completionCandidates = Choices.OfForms.class,
            description = "${COMPLETION-CANDIDATES} (default: all but spin).")
    private List<Form> forms = List.of(Form.PLAIN, Form.PREFETCH, Form.BATCH, Form.BOTH, Form.MODERN);

    @Option(
            names = "--policies",
            paramLabel = "NAME,…",
            split = ",",
            converter = Choices.OfPolicies.class,
            completionCandidates = Choices.OfPolicies.class,
            description = "${COMPLETION-CANDIDATES}; a list makes a run for each (default: 2q).")
    private List<String> policies = List.of("2q");

    @Mixin
    private ThreadOptions threads = new ThreadOptions(CommaList.of(8));

    @Option(
            names = "--queue-size",
            paramLabel = "N,…",
            split = ",",
            description = "Hits that a queue holds, of batch and both; a list makes a run for each (default: 64).")
    private List<Integer> queueSize = List.of(64);

    @Option(
            names = "--threshold",
            paramLabel = "N|half,…",
            split = ",",
            converter = Choices.OfThresholds.class,
            description = "Hits in a queue from which on its thread tries the lock, of batch and both, or half for half"
                    + " of each"
                    + " queue; a list makes a run for each that is not greater than the queue (default:"
                    + " 32, or half if a queue is smaller).")
    private List<Integer> threshold;

    @Option(
            names = "--stream",
            paramLabel = "NAME,…",
            split = ",",
            converter = Choices.OfStreams.class,
            completionCandidates = Choices.OfStreams.class,
            description = "${COMPLETION-CANDIDATES}; see below; a list makes a run for each (default: dbt2).")
    private List<References> stream = List.of(References.DBT2);

    @Option(
            names = "--miss-percent",
            paramLabel = "P,…",
            split = ",",
            description = "Percentage of references that go to a new page; a list makes a run for each (default: 0).")
    private List<Double> missPercent = List.of(0.0);

    @Option(
            names = "--frames",
            paramLabel = "N",
            description = "How many pages the pool holds (default: ${DEFAULT-VALUE}).")
    private int frames = 8192;

    @Mixin
    private AccessOptions accesses = new AccessOptions();

    @Mixin
    private TimeOptions times = new TimeOptions(3, 0.15);

    @Mixin
    private CommonOptions common = new CommonOptions();

    /** Refuses wrong values, and fills in the defaults that depend on others. */
    void check(Usage usage) {
        usage.requireOnce("--policies", "a policy", policies);
        threads.check(usage);
        requireQueues(usage);
        usage.requireOnce("--stream", "a stream", stream);
        usage.require(missPercent.stream().allMatch(p -> p >= 0 && p <= PERCENT), "--miss-percent must lie in 0 … 100");
        usage.requireOnce("--miss-percent", "a share", missPercent);
        usage.requireWithin("--frames", frames, FEWEST_FRAMES, MOST_FRAMES);
        times.check(usage, forms.stream().map(Form::label).toList());
        accesses.check(usage);
        times.checkAgainst(accesses, usage);
        if (accesses.isTyped()) {
            times.clear();
            accesses.fill(DEFAULT_ACCESSES, DEFAULT_WARMUP_ACCESSES);
        }
    }

    private void requireQueues(Usage usage) {
        usage.requireEach("--queue-size", queueSize, MOST_QUEUE);
        if (threshold == null) {
            boolean small = queueSize.stream().anyMatch(size -> size < DEFAULT_THRESHOLD);
            threshold = List.of(small ? HALF : DEFAULT_THRESHOLD);
        }
        usage.require(
                threshold.stream().allMatch(n -> n == HALF || (n >= 1 && n <= MOST_QUEUE)),
                "--threshold must lie in 1 … " + MOST_QUEUE + ", or be half");
        usage.requireOnce("--threshold", "a number", threshold);
        boolean possible =
                !Contender.all(List.of(Form.BOTH), queueSize, threshold).isEmpty();
        usage.require(
                possible || forms.stream().noneMatch(Form::hasQueues),
                "--threshold must not be greater than --queue-size: " + String.join(", ", leftOut()));
    }

    /** How many JVMs live at once. */
    int contendersAtOnce() {
        return isTimed() ? contenders().size() : 1;
    }

    boolean isTimed() {
        return times.isTimed();
    }

    /** Locks and hits are counted in a shorter run. */
    int countedSeconds() {
        return Math.max(1, times.seconds() / 8);
    }

    TimeOptions times() {
        return times;
    }

    AccessOptions accesses() {
        return accesses;
    }

    List<Form> forms() {
        return forms;
    }

    List<Contender> contenders() {
        return Contender.all(forms, queueSize, threshold);
    }

    /** A note on each threshold that is greater than its queue. */
    List<String> leftOut() {
        return Contender.leftOut(queueSize, threshold);
    }

    /**
     * Every stream with every share of misses, every policy and every number of threads, by groups that are compared.
     */
    List<List<Cell<Setting, Contender>>> plan() {
        List<Setting> settings = new ArrayList<>();
        for (References references : stream) {
            for (double misses : missPercent) {
                for (String policy : policies) {
                    threads.threads().forEach(count -> settings.add(new Setting(policy, count, references, misses)));
                }
            }
        }
        return Cell.plan(settings, contenders(), times.repeat());
    }

    /** Those of these lists that have several values, else the first. */
    List<String> severalOf(String... fields) {
        Map<String, Object> options = asOptions();
        List<String> several = Arrays.stream(fields)
                .filter(field -> options.get(field) instanceof List<?> list && list.size() > 1)
                .toList();
        return several.isEmpty() ? List.of(fields[0]) : several;
    }

    boolean hasMisses() {
        return missPercent.stream().anyMatch(percent -> percent > 0);
    }

    int mostThreads() {
        return threads.most();
    }

    int frames() {
        return frames;
    }

    long seed() {
        return common.seed();
    }

    Path out() {
        return common.out();
    }

    /** The pages of the stream, without the new ones. */
    int pages(double misses) {
        return misses == 0 ? frames : frames / FRAMES_PER_PAGE;
    }

    Map<String, Object> asOptions() {
        Map<String, Object> options = OptionValues.of(this);
        options.put("pageBytes", PAGE_BYTES);
        options.put("countedSeconds", isTimed() ? countedSeconds() : null);
        return options;
    }
}
