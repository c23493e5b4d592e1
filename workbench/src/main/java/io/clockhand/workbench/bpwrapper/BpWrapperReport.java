// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.bpwrapper;

import io.clockhand.workbench.bpwrapper.driver.Form;
import io.clockhand.workbench.bpwrapper.driver.RunAnswer;
import io.clockhand.workbench.bpwrapper.driver.RunAnswer.Counted;
import io.clockhand.workbench.environment.Environment;
import io.clockhand.workbench.pages.driver.Timed;
import io.clockhand.workbench.pages.driver.Timed.Percentiles;
import io.clockhand.workbench.report.Figures;
import io.clockhand.workbench.report.Pairs;
import io.clockhand.workbench.report.Spread;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;

/** Everything that {@code bp-wrapper.json} holds, in its order. */
record BpWrapperReport(
        String command,
        String version,
        String note,
        Environment environment,
        Map<String, Object> options,
        List<Run> runs,
        List<Summary> summary) {
    private static final double MILLION = 1_000_000;

    /**
     * A run; what it did not measure is null.
     *
     * @param queueSize null if the form has none to choose, and so is the threshold
     * @param accesses that were counted
     * @param lockAcquisitionsPerMillion of accesses, and so are the next three
     * @param contentionsPerMillion requests for the lock that had to wait
     * @param failedTriesPerMillion tries to take the lock that failed
     * @param toldHitsPerMillion hits that the policy was told of; the others were lost
     * @param hitRatio misses of new pages are misses, too
     * @param latencyMicros of single fixes, sampled
     * @param timedAccesses in the measured interval
     * @param wrongPages fixes that gave the content of another page, at any time of the run
     * @param valid false if the run failed or a page was wrong
     */
    record Run(
            String form,
            String policy,
            int threads,
            Integer queueSize,
            Integer threshold,
            String stream,
            double missPercent,
            int repeat,
            Long accesses,
            Double operationsPerSecond,
            Double lockAcquisitionsPerMillion,
            Double contentionsPerMillion,
            Double failedTriesPerMillion,
            Double toldHitsPerMillion,
            Double hitRatio,
            Percentiles latencyMicros,
            Long timedAccesses,
            Long wrongPages,
            boolean valid) {

        /** From the answers of the timed and the counted run; either may be null, because it was not asked for or has failed. */
        static Run of(Cell cell, RunAnswer timedAnswer, RunAnswer countedAnswer) {
            Timed timed = timedAnswer == null ? null : timedAnswer.timed();
            Counted counted = countedAnswer == null ? null : countedAnswer.counted();
            Long wrong = wrong(timedAnswer, countedAnswer);
            return new Run(
                    cell.contender().form().label(),
                    cell.policy(),
                    cell.threads(),
                    cell.contender().queueSize(),
                    cell.contender().threshold(),
                    cell.stream().label(),
                    cell.missPercent(),
                    cell.repeat(),
                    of(counted, Counted::accesses),
                    of(timed, Timed::operationsPerSecond),
                    of(counted, c -> perMillion(c.lockAcquisitions(), c)),
                    of(counted, c -> perMillion(c.contentions(), c)),
                    of(counted, c -> perMillion(c.failedTries(), c)),
                    of(counted, c -> perMillion(c.toldHits(), c)),
                    of(counted, c -> (double) c.hits() / (c.hits() + c.misses())),
                    of(timed, Timed::latencyMicros),
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
            return new Setting(policy, threads, stream, missPercent);
        }

        boolean isOf(Contender contender) {
            return form.equals(contender.form().label())
                    && Objects.equals(queueSize, contender.queueSize())
                    && Objects.equals(threshold, contender.threshold());
        }
    }

    /** What contenders have in common that are compared. */
    record Setting(String policy, int threads, String stream, double missPercent) {
        /** As a conclusion names it. */
        @Override
        public String toString() {
            return policy + ", " + threads + (threads == 1 ? " thread, " : " threads, ") + stream + ", "
                    + Figures.brief(missPercent) + " % misses";
        }
    }

    /**
     * All repeats of a contender in a setting.
     *
     * @param ratioToFirst of the repeats paired with those of the contender that was named first; null without them, and for itself
     * @param pairs how many repeats were paired
     */
    record Summary(
            String form,
            String policy,
            int threads,
            Integer queueSize,
            Integer threshold,
            String stream,
            double missPercent,
            Spread lockAcquisitionsPerMillion,
            Spread contentionsPerMillion,
            Spread failedTriesPerMillion,
            Spread toldHitsPerMillion,
            Spread hitRatio,
            Spread operationsPerSecond,
            Spread ratioToFirst,
            int pairs) {}

    static Double perMillion(long count, Counted counted) {
        return MILLION * count / counted.accesses();
    }

    /** Medians and ratios, in the order of the plan. */
    static List<Summary> summarize(Settings settings, List<Run> runs) {
        List<Contender> contenders = settings.contenders();
        Contender first = contenders.get(0);
        List<Summary> summaries = new ArrayList<>();
        for (Setting setting : settings(runs)) {
            for (Contender contender : contenders) {
                List<Run> own = of(runs, setting, contender);
                List<Double> ratios = contender.equals(first) ? List.of() : ratios(runs, setting, contender, first);
                summaries.add(new Summary(
                        contender.form().label(),
                        setting.policy(),
                        setting.threads(),
                        contender.queueSize(),
                        contender.threshold(),
                        setting.stream(),
                        setting.missPercent(),
                        spread(own, Run::lockAcquisitionsPerMillion),
                        spread(own, Run::contentionsPerMillion),
                        spread(own, Run::failedTriesPerMillion),
                        spread(own, Run::toldHitsPerMillion),
                        spread(own, Run::hitRatio),
                        spread(own, Run::operationsPerSecond),
                        Spread.of(ratios),
                        ratios.size()));
            }
        }
        return summaries;
    }

    /** In their order. */
    static Set<Setting> settings(List<Run> runs) {
        Set<Setting> all = new LinkedHashSet<>();
        runs.forEach(run -> all.add(run.setting()));
        return all;
    }

    static List<Run> of(List<Run> runs, Setting setting, Contender contender) {
        return runs.stream()
                .filter(run -> run.setting().equals(setting) && run.isOf(contender))
                .toList();
    }

    /** Of the throughputs of paired repeats. */
    static List<Double> ratios(List<Run> runs, Setting setting, Contender contender, Contender base) {
        return Pairs.ratios(
                of(runs, setting, contender), of(runs, setting, base), Run::repeat, Run::operationsPerSecond);
    }

    static Spread spread(List<Run> runs, Function<Run, Double> figure) {
        return Spread.of(runs.stream().map(figure).filter(Objects::nonNull).toList());
    }

    /** What a reader must know of these figures. */
    static String note(Settings settings) {
        List<String> sentences = new ArrayList<>();
        sentences.add("A contention is a request for the lock that had to wait.");
        if (settings.isTimed()) {
            sentences.add(
                    "Locks and hits are counted in a separate run, under a lock that counts; where threads are timed,"
                            + " nothing is counted. A closed loop of threads.");
        }
        if (settings.missPercents().stream().anyMatch(percent -> percent > 0)) {
            sentences.add("A page that is missed is made up: no I/O is in the figures.");
        }
        if (settings.forms().contains(Form.MODERN)) {
            sentences.add("The modern form has queues of 64 hits and a threshold of 32, whatever the options say.");
        }
        return String.join(" ", sentences);
    }
}
