// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.tpcc;

import io.clockhand.workbench.derby.Contender;
import io.clockhand.workbench.derby.driver.CacheProbe;
import io.clockhand.workbench.derby.driver.Database;
import io.clockhand.workbench.derby.tpcc.Terminals.Tally;
import io.clockhand.workbench.environment.Child;
import io.clockhand.workbench.experiment.Order;
import io.clockhand.workbench.workload.tpcc.Scale;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
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
 * @param slices the file of a duel, which decides how long the run takes; null for the seconds
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
        int warmupSeconds,
        int seconds,
        long leastOperations,
        long seed,
        String slices,
        String profile,
        boolean counted,
        String record,
        boolean advised)
        implements Order<RunAnswer> {
    @Override
    public RunAnswer perform(DoubleConsumer progress) throws Exception {
        DataSource source = Database.open(Path.of(database));
        source.getConnection().close();
        CacheProbe probe = CacheProbe.of(cache, poolPages);
        try (Observer observer = new Observer(this, probe)) {
            Tally total = Terminals.run(this, source, observer);
            int maxResidentPages = probe.maxResidentPages();
            List<String> damage = new ArrayList<>();
            Consistency.Verdict verdict = check(total.delivered, damage);
            return new RunAnswer(
                    total.operations,
                    (double) total.operations / seconds,
                    total.transactions,
                    total.retries,
                    total.errors,
                    total.percentiles(),
                    observer.residentAtStart(),
                    maxResidentPages,
                    verdict.broken(),
                    damage,
                    observer.statistics());
        }
    }

    /**
     * On the database as it was written back: shut down, then opened again.
     *
     * <p>Derby's check of the indexes fetches a row for every entry, which takes long on many warehouses: the counted
     * runs do it, once for every cache and number of terminals.
     */
    private Consistency.Verdict check(int[] delivered, List<String> damage) throws SQLException {
        Child.progress(1, "checking");
        Path directory = Path.of(database);
        Database.shutDown(directory);
        Consistency.Verdict verdict = Consistency.of(Database.open(directory), scale, delivered);
        if (verdict.stock() != null) {
            damage.add("holds a wrong stock in " + verdict.stock());
        }
        if (counted && Consistency.areIndexesChecked(scale.warehouses())) {
            damage.addAll(Consistency.brokenIndexes(Database.open(directory)));
        }
        Database.shutDown(directory);
        return verdict;
    }
}
