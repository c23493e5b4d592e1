// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc;

import io.clockhand.workbench.device.DeviceFigures;
import io.clockhand.workbench.device.DeviceProfile;
import io.clockhand.workbench.lruc.driver.Moment;
import io.clockhand.workbench.lruc.driver.RunAnswer;
import io.clockhand.workbench.lruc.driver.RunOrder;
import io.clockhand.workbench.lruc.pool.PoolFigures;
import io.clockhand.workbench.report.Cell;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * A run, its order and its answer.
 *
 * @param flushRate pages a second that the background thread of a vanilla writes; null for other schemes
 * @param order null if no vanilla of the sweep has ended
 * @param answer null if it failed
 */
record Run(Cell<Setting, Contender> cell, Long flushRate, RunOrder order, RunAnswer answer) {
    private static final double PERCENT = 100;
    private static final double NANOS_PER_MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    String scheme() {
        return cell.contender().scheme();
    }

    <V> V answered(Function<RunAnswer, V> figure) {
        return answer == null ? null : figure.apply(answer);
    }

    Double operationsPerSecond() {
        return answered(a -> a.operations() / a.seconds());
    }

    Double missesPerSecond() {
        return answered(a -> a.misses() / a.seconds());
    }

    Double missRatio() {
        return answered(a -> a.operations() == 0 ? null : (double) a.misses() / a.operations());
    }

    <V> V pool(Function<PoolFigures, V> figure) {
        return answered(a -> figure.apply(a.pool()));
    }

    Double readStallPercent() {
        return perMiss(PoolFigures::readStalls, PERCENT);
    }

    Double framesScannedPerMiss() {
        return perMiss(PoolFigures::framesScanned, 1);
    }

    /** By the misses that the pool has counted. */
    private Double perMiss(ToLongFunction<PoolFigures> count, double factor) {
        return pool(p -> p.misses() == 0 ? null : factor * count.applyAsLong(p) / p.misses());
    }

    Double pagesPerBatch() {
        return pool(p -> p.batches() == 0 ? null : (double) p.batchPages() / p.batches());
    }

    Double mutexWaitMillisPerSecond() {
        return answered(a -> a.pool().mutexWaitNanos() / NANOS_PER_MILLI / a.seconds());
    }

    /** Of the device where it is simulated, else of the pool, which reads a page for each miss. */
    Double readsPerSecond() {
        Double simulated = device(d -> d.reads().perSecond());
        return simulated != null ? simulated : answered(a -> a.pool().misses() / a.seconds());
    }

    Double writesPerSecond() {
        Double simulated = device(d -> d.writes().perSecond());
        return simulated != null ? simulated : answered(a -> a.pool().pagesWritten() / a.seconds());
    }

    /** Null if the device is not simulated. */
    <V> V device(Function<DeviceFigures, V> figure) {
        return answer == null || answer.device() == null ? null : figure.apply(answer.device());
    }

    Double utilisationPercent() {
        return device(d -> PERCENT * d.utilisation());
    }

    /** Null if the device is not simulated. */
    Integer channels() {
        DeviceProfile profile = order == null ? null : order.device().profile();
        return profile == null ? null : profile.channels();
    }

    /** N/K of the paper. */
    Double threadsPerChannel() {
        Integer channels = channels();
        return channels == null ? null : Double.valueOf((double) cell.setting().threads() / channels);
    }

    List<Moment> overTime() {
        return answered(RunAnswer::overTime);
    }

    <V> V steadiness(Function<Steadiness, V> figure) {
        Steadiness steadiness = answered(a -> Steadiness.of(a.overTime()));
        return steadiness == null ? null : figure.apply(steadiness);
    }

    /** False only for a run that is not stable; null if that is not known. */
    Boolean stable() {
        return steadiness(Steadiness::stable);
    }

    boolean isUnstable() {
        return Boolean.FALSE.equals(stable());
    }

    /** Changes that threads have made, but that are not in the pages after the close. */
    Long lostChanges() {
        return answered(a -> a.changes() - a.found());
    }

    /** Whether the run ended, every page was right, and no change was lost. */
    boolean isValid() {
        return answer != null && answer.allHolds();
    }
}
