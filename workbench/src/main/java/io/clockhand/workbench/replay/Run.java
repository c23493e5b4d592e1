// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.replay;

import io.clockhand.workbench.pages.driver.Timed;
import io.clockhand.workbench.pages.driver.Timed.Percentiles;
import io.clockhand.workbench.replay.driver.RunAnswer;
import io.clockhand.workbench.replay.driver.RunAnswer.Counted;
import io.clockhand.workbench.replay.driver.Written;
import io.clockhand.workbench.replay.driver.Written.Moment;
import io.clockhand.workbench.replay.driver.Written.Writes;
import io.clockhand.workbench.report.Cell;
import io.clockhand.workbench.report.Spread;
import io.clockhand.workbench.report.Turns;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A run and its answers.
 *
 * @param timedAnswer null if no time was measured
 * @param turns in a duel; null if it ran alone
 * @param countedAnswer null if nothing was counted
 */
record Run(Cell<Setting, Contender> cell, RunAnswer timedAnswer, Turns turns, RunAnswer countedAnswer) {

    <V> V timed(Function<Timed, V> figure) {
        return timedAnswer == null ? null : figure.apply(timed());
    }

    /** In a duel the throughput is that of the contender's own running time. */
    private Timed timed() {
        Timed timed = timedAnswer.timed();
        return turns == null
                ? timed
                : new Timed(
                        turns.standing().operations(), turns.standing().operationsPerSecond(), timed.latencyMicros());
    }

    <V> V counted(Function<Counted, V> figure) {
        return countedAnswer == null ? null : figure.apply(countedAnswer.counted());
    }

    /** Of the counted run; null if all references were reads. */
    <V> V writes(Function<Writes, V> figure) {
        Writes writes = counted(Counted::writes);
        return writes == null ? null : figure.apply(writes);
    }

    /** Null if pages were not changed, or no batch was written. */
    Double pagesPerBatch() {
        return writes(w -> w.batches() == 0 ? null : (double) w.pages() / w.batches());
    }

    /** Whether some references changed their pages. */
    boolean hasWrites() {
        return written(timedAnswer) != null || written(countedAnswer) != null;
    }

    private static Written written(RunAnswer answer) {
        return answer == null ? null : answer.written();
    }

    /** Changes that threads have made, but that are not in the pages after the close; null without writes. */
    Long lostChanges() {
        List<Written> all = Stream.of(timedAnswer, countedAnswer)
                .map(Run::written)
                .filter(Objects::nonNull)
                .toList();
        return all.isEmpty()
                ? null
                : all.stream()
                        .mapToLong(written -> written.changes() - written.found())
                        .sum();
    }

    /** The seconds of the timed run, after its warm-up; null if it had no writes, or no time was measured. */
    List<Moment> overTime() {
        Written written = written(timedAnswer);
        return written == null ? null : written.overTime();
    }

    Double pagesWrittenPerSecond() {
        List<Moment> seconds = overTime();
        return seconds == null
                ? null
                : seconds.stream()
                        .mapToDouble(Moment::pagesWrittenPerSecond)
                        .average()
                        .orElse(0);
    }

    /**
     * The share of the seconds in which there were at least half as many accesses as in the median one; not of those
     * without any.
     */
    Double steadyRatio() {
        List<Moment> seconds = overTime();
        if (seconds == null || seconds.isEmpty()) {
            return null;
        }
        double median = Spread.of(
                        seconds.stream().map(Moment::accessesPerSecond).toList())
                .median();
        long steady = seconds.stream()
                .filter(second -> second.accessesPerSecond() > 0 && second.accessesPerSecond() >= median / 2)
                .count();
        return (double) steady / seconds.size();
    }

    Double latency(Function<Percentiles, Double> percentile) {
        Percentiles latency = timed(Timed::latencyMicros);
        return latency == null ? null : percentile.apply(latency);
    }

    Double framesScannedPerMiss() {
        return counted(c -> c.misses() == 0 ? null : (double) c.framesScanned() / c.misses());
    }

    /** Fixes that gave the content of another page, at any time of the run. */
    Long wrongPages() {
        if (timedAnswer == null && countedAnswer == null) {
            return null;
        }
        return (timedAnswer == null ? 0 : timedAnswer.wrongPages())
                + (countedAnswer == null ? 0 : countedAnswer.wrongPages());
    }

    /** Whether the run ended, every page was right, and no change was lost. */
    boolean isValid() {
        return countedAnswer != null && countedAnswer.allHolds() && (timedAnswer == null || timedAnswer.allHolds());
    }
}
