// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.tpcc;

import io.clockhand.workbench.derby.Contender;
import io.clockhand.workbench.derby.driver.CacheProbe;
import io.clockhand.workbench.derby.driver.Database;
import io.clockhand.workbench.environment.Child;
import io.clockhand.workbench.experiment.Answer;
import io.clockhand.workbench.experiment.Order;
import io.clockhand.workbench.experiment.Timed.Percentiles;
import io.clockhand.workbench.experiment.Timing;
import io.clockhand.workbench.experiment.options.EnumNames;
import io.clockhand.workbench.experiment.report.Estimated;
import io.clockhand.workbench.workload.tpcc.Scale;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleConsumer;
import javax.sql.DataSource;

/**
 * One run, in a child JVM: terminals first, the twelve conditions afterwards.
 *
 * @param database the directory of a copy that may be changed
 * @param scale it was loaded with
 * @param cache that the properties and the class path of this JVM must have set
 * @param poolPages its size
 * @param leastOperations that are counted after the warm-up, if need be beyond the seconds; 0 in a duel
 * @param seed of this run's inputs
 * @param profile file for a Java Flight Recorder profile of the measured interval, or null
 * @param counted whether to count hits and I/O, which slows everything down, instead of only measuring throughput
 * @param record file for the references to pages in the measured interval, or null
 * @param advised whether the cache estimates its hit ratios
 */
record TpccRun(
        String database,
        Scale scale,
        Contender cache,
        int poolPages,
        Work work,
        int terminals,
        Timing timing,
        long leastOperations,
        long seed,
        String profile,
        boolean counted,
        String record,
        boolean advised)
        implements Order<TpccRun.RunAnswer> {
    /** Derby's own check of the indexes fetches a row for every entry, some six seconds a warehouse. */
    private static final int MOST_WAREHOUSES_WITH_INDEX_CHECK = 2;

    /** The work of the terminals. */
    enum Work {
        TRANSACTIONS("tpmC", 60, "new-orders a minute"),
        SELECTS("selectsPerSecond", 1, "selects a second");

        /** The field of the throughput, the seconds to which it refers, and its unit in words. */
        final String rate;

        final int seconds;
        final String unit;

        Work(String rate, int seconds, String unit) {
            this.rate = rate;
            this.seconds = seconds;
            this.unit = unit;
        }

        /** As options and reports have it. */
        @Override
        public String toString() {
            return EnumNames.of(this);
        }
    }

    /**
     * The figures of a run that went to its end.
     *
     * @param operations committed new-orders, or selects; 0 in a duel
     * @param transactions completed ones of all kinds, the roll-backs asked for included
     * @param errors transactions given up
     * @param latencyMicros by the names of transactions
     * @param residentAtStart the pages that the cache held when measuring began
     * @param maxResidentPages the most pages the cache was seen to hold
     * @param damage what is wrong with the data, in words; empty if nothing is
     * @param statistics null if nothing was counted
     */
    record RunAnswer(
            long operations,
            Double operationsPerSecond,
            long transactions,
            long retries,
            long errors,
            Map<String, Percentiles> latencyMicros,
            int residentAtStart,
            int maxResidentPages,
            List<String> damage,
            Statistics statistics)
            implements Answer {
        @Override
        public String wrong() {
            return damage.isEmpty() ? null : String.join("; ", damage);
        }
    }

    /**
     * The counts of a run with statistics.
     *
     * @param hitRatio null if nothing was referred to
     * @param estimates of the cache's hit ratios, or null
     */
    record Statistics(Double hitRatio, long pageReads, long pageWrites, List<Estimated> estimates) {}

    @Override
    public RunAnswer perform(DoubleConsumer progress) throws Exception {
        DataSource source = Database.open(Path.of(database));
        source.getConnection().close();
        CacheProbe probe = new CacheProbe(cache, poolPages);
        try (Observer observer = new Observer(this, probe)) {
            Interval interval = new Interval(this);
            Tally total = new Terminals(this, source, interval).run(observer);
            int maxResidentPages = probe.maxResidentPages();
            return new RunAnswer(
                    interval.operations(),
                    interval.operations() / interval.seconds(),
                    total.transactions,
                    total.retries,
                    total.errors,
                    total.percentiles(),
                    observer.residentAtStart,
                    maxResidentPages,
                    damage(total.delivered),
                    observer.statistics);
        }
    }

    /** Of the database as it was written back: shut down, then opened again. Counted runs check the indexes, too. */
    private List<String> damage(int[] delivered) throws SQLException {
        Child.progress(1, "checking");
        Path directory = Path.of(database);
        Database.shutDown(directory);
        DataSource source = Database.open(directory);
        List<String> damage = Consistency.violations(source, scale, delivered);
        if (counted && scale.warehouses() <= MOST_WAREHOUSES_WITH_INDEX_CHECK) {
            damage.addAll(Consistency.brokenIndexes(source));
        }
        Database.shutDown(directory);
        return damage;
    }
}
