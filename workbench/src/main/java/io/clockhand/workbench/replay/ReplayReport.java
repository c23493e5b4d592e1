// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.replay;

import io.clockhand.workbench.environment.Environment;
import io.clockhand.workbench.pages.driver.Timed;
import io.clockhand.workbench.pages.driver.Timed.Percentiles;
import io.clockhand.workbench.replay.driver.Io;
import io.clockhand.workbench.replay.driver.RunAnswer;
import io.clockhand.workbench.replay.driver.RunAnswer.Counted;
import io.clockhand.workbench.report.Pairs;
import io.clockhand.workbench.report.Spread;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;

/** Everything that {@code replay.json} holds, in its order. */
record ReplayReport(
        String command,
        String version,
        String note,
        Environment environment,
        Map<String, Object> options,
        List<Run> runs,
        List<Summary> summary) {

    /**
     * A run; what it did not measure is null.
     *
     * @param accesses that were counted: hits and misses
     * @param reads begun, the wasted ones included
     * @param wastedReads whose bytes were not used, because another thread was first
     * @param writes null: no page is changed
     * @param readStalls null: pools do not count them
     * @param latencyMicros of single fixes, sampled
     * @param framesInspectedPerMiss by the policy, in search of victims
     * @param timedAccesses in the measured interval
     * @param wrongPages fixes that gave the content of another page, at any time of the run
     * @param valid false if the run failed or a page was wrong
     */
    record Run(
            String policy,
            String hand,
            String pageIn,
            int threads,
            int frames,
            int pageBytes,
            String workload,
            String io,
            int repeat,
            Long accesses,
            Long hits,
            Long misses,
            Double hitRatio,
            Double operationsPerSecond,
            Long reads,
            Long wastedReads,
            Long writes,
            Long readStalls,
            Percentiles latencyMicros,
            Double framesInspectedPerMiss,
            Long timedAccesses,
            Long wrongPages,
            boolean valid) {

        /** From the answers of the timed and the counted run; either may be null, because it was not asked for or has failed. */
        static Run of(Cell cell, int pageBytes, RunAnswer timedAnswer, RunAnswer countedAnswer) {
            Timed timed = timedAnswer == null ? null : timedAnswer.timed();
            Counted counted = countedAnswer == null ? null : countedAnswer.counted();
            Long wrong = wrong(timedAnswer, countedAnswer);
            return new Run(
                    cell.contender().policy(),
                    cell.contender().handLabel(),
                    cell.contender().pageIn().label(),
                    cell.threads(),
                    cell.frames(),
                    pageBytes,
                    cell.workload(),
                    cell.io().label(),
                    cell.repeat(),
                    of(counted, Counted::accesses),
                    of(counted, Counted::hits),
                    of(counted, Counted::misses),
                    of(counted, c -> (double) c.hits() / (c.hits() + c.misses())),
                    of(timed, Timed::operationsPerSecond),
                    of(counted, Counted::reads),
                    of(counted, Counted::wastedReads),
                    null,
                    null,
                    of(timed, Timed::latencyMicros),
                    of(counted, c -> c.misses() == 0 ? null : (double) c.inspected() / c.misses()),
                    of(timed, Timed::accesses),
                    wrong,
                    counted != null && wrong == 0);
        }

        private static <T, V> V of(T part, Function<T, V> figure) {
            return part == null ? null : figure.apply(part);
        }

        private static Long wrong(RunAnswer timed, RunAnswer counted) {
            if (timed == null && counted == null) {
                return null;
            }
            return (timed == null ? 0 : timed.wrongPages()) + (counted == null ? 0 : counted.wrongPages());
        }

        Setting setting() {
            return new Setting(threads, frames, workload, io);
        }

        boolean isOf(Contender contender) {
            return policy.equals(contender.policy())
                    && Objects.equals(hand, contender.handLabel())
                    && pageIn.equals(contender.pageIn().label());
        }
    }

    /** What contenders have in common that are compared. */
    record Setting(int threads, int frames, String workload, String io) {}

    /**
     * All repeats of a contender in a setting.
     *
     * @param ratioToFirst of the repeats paired with those of the contender that was named first; null without them, and for itself
     * @param pairs how many repeats were paired
     */
    record Summary(
            String policy,
            String hand,
            String pageIn,
            int threads,
            int frames,
            String workload,
            String io,
            Spread hitRatio,
            Spread operationsPerSecond,
            Spread ratioToFirst,
            int pairs) {
        Setting setting() {
            return new Setting(threads, frames, workload, io);
        }
    }

    /** Medians and ratios, in the order of the plan. */
    static List<Summary> summarize(Settings settings, List<Run> runs) {
        List<Contender> contenders = settings.contenders();
        Set<Setting> all = new LinkedHashSet<>();
        runs.forEach(run -> all.add(run.setting()));
        List<Summary> summaries = new ArrayList<>();
        for (Setting setting : all) {
            List<Run> first = of(runs, setting, contenders.get(0));
            for (Contender contender : contenders) {
                List<Run> own = of(runs, setting, contender);
                List<Double> ratios = contender.equals(contenders.get(0))
                        ? List.of()
                        : Pairs.ratios(own, first, Run::repeat, Run::operationsPerSecond);
                summaries.add(new Summary(
                        contender.policy(),
                        contender.handLabel(),
                        contender.pageIn().label(),
                        setting.threads(),
                        setting.frames(),
                        setting.workload(),
                        setting.io(),
                        spread(own, Run::hitRatio),
                        spread(own, Run::operationsPerSecond),
                        Spread.of(ratios),
                        ratios.size()));
            }
        }
        return summaries;
    }

    private static List<Run> of(List<Run> runs, Setting setting, Contender contender) {
        return runs.stream()
                .filter(run -> run.setting().equals(setting) && run.isOf(contender))
                .toList();
    }

    /** The repeats that this line of the summary is about. */
    List<Run> runsOf(Summary line) {
        return runs.stream()
                .filter(run -> run.setting().equals(line.setting())
                        && run.policy().equals(line.policy())
                        && Objects.equals(run.hand(), line.hand())
                        && run.pageIn().equals(line.pageIn()))
                .toList();
    }

    /** A name for a contender that says only what differs between contenders. */
    String contender(Summary line) {
        return line.policy()
                + (line.hand() != null && several(Summary::hand) ? " with " + line.hand() + " hand" : "")
                + (several(Summary::pageIn) ? " with " + line.pageIn() + " page-in" : "");
    }

    private boolean several(Function<Summary, String> part) {
        return summary.stream().map(part).filter(Objects::nonNull).distinct().count() > 1;
    }

    static Spread spread(List<Run> runs, Function<Run, Double> figure) {
        return Spread.of(runs.stream().map(figure).filter(Objects::nonNull).toList());
    }

    /** What a reader must know of these figures. */
    static String note(Settings settings) {
        List<String> sentences = new ArrayList<>();
        sentences.add("A hit is a fix that finds its page mapped.");
        if (settings.isTimed()) {
            sentences.add(
                    "A closed loop of threads: latencies are those of single fixes, about one in five hundred, with the"
                            + " 20 to 50 ns that it takes to read the clock.");
            sentences.add(
                    "Hits and reads come from a separate, counted run, whose threads yield so that time slices do not raise them.");
        }
        if (settings.ios().contains(Io.MEMORY)) {
            sentences.add("With io memory a page that is missed is made up: no I/O is in the figures.");
        }
        if (settings.ios().contains(Io.CACHED)) {
            sentences.add("Cached reads are served from the operating system's page cache unless memory is short.");
        }
        return String.join(" ", sentences);
    }
}
