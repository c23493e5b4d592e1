// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.tpcc.driver;

import io.clockhand.workbench.derby.driver.CacheProbe;
import io.clockhand.workbench.derby.driver.CacheProbe.Counts;
import io.clockhand.workbench.derby.driver.Database;
import io.clockhand.workbench.derby.driver.Observer;
import io.clockhand.workbench.derby.driver.PageRecorder;
import io.clockhand.workbench.derby.driver.Recorded;
import io.clockhand.workbench.derby.driver.RecordingCacheFactory;
import io.clockhand.workbench.environment.Child;
import io.clockhand.workbench.environment.Failures;
import io.clockhand.workbench.report.Estimated;
import io.clockhand.workbench.tpcc.check.Consistency;
import io.clockhand.workbench.tpcc.check.TableCheck;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/** One run, in a child JVM: terminals first, the twelve conditions afterwards. */
final class Trial {
    private final RunOrder order;
    private final Path directory;
    private final DataSource database;
    /** Errors in the data besides the twelve conditions. */
    private final List<String> damage = new ArrayList<>();

    Trial(RunOrder order) {
        this.order = order;
        this.directory = Path.of(order.database());
        this.database = Database.open(directory);
    }

    RunAnswer run() throws Exception {
        database.getConnection().close();
        CacheProbe probe = CacheProbe.of(order.cache());
        Measurement measurement = new Measurement(order, database);
        try (CountingObserver observer = new CountingObserver(probe)) {
            measurement.run(observer);
            return answer(measurement, observer);
        } catch (SQLException e) {
            if (order.slices() != null) {
                throw e; // the referee waits for a slice, not for an answer
            }
            e.printStackTrace();
            return RunAnswer.brokenOff(measurement.total().errors(), Failures.sentence(e));
        }
    }

    private RunAnswer answer(Measurement measurement, CountingObserver observer) throws Exception {
        int maxResidentPages = observer.maxResidentPages();
        Consistency.Verdict verdict = check(measurement);
        Tally total = measurement.total();
        return new RunAnswer(
                total.newOrders() * 60.0 / order.seconds(),
                total.transactions(),
                total.retries(),
                total.errors(),
                total.percentiles(),
                observer.residentAtStart(),
                maxResidentPages,
                Consistency.asFlags(verdict.broken()),
                verdict.broken(),
                damage,
                observer.hitRatio,
                observer.pages.read(),
                observer.pages.written(),
                observer.estimates,
                observer.recorded,
                null);
    }

    /**
     * On the database as it was written back: shut down, then opened again.
     *
     * <p>Derby's check of the indexes fetches a row for every entry, which takes long on many warehouses: the counted
     * runs do it, once for every cache and number of terminals.
     */
    private Consistency.Verdict check(Measurement measurement) throws SQLException {
        Child.progress(1, "checking");
        Database.shutDown(directory);
        int[] delivered = DeliveryQueue.deliveredByDistrict(order.scale(), measurement.deliveries());
        Consistency.Verdict verdict = Consistency.of(database, order.scale(), delivered);
        if (verdict.stock() != null) {
            damage.add("holds a wrong stock in " + verdict.stock());
        }
        if (order.counted() && TableCheck.isAffordable(order.scale().warehouses())) {
            damage.addAll(TableCheck.broken(database));
        }
        Database.shutDown(directory);
        return verdict;
    }

    /** Counts hits and I/O of the measured interval, and records it, if that was asked for. */
    private final class CountingObserver extends Observer {
        private final CacheProbe probe;
        private final FileTraffic traffic;
        /** Null if nothing is to be recorded. */
        private final PageRecorder recorder;

        private Recorded recorded;
        private Instant start;
        private Counts atStart;
        private Double hitRatio;
        /** Null if there are none. */
        private List<Estimated> estimates;

        private FileTraffic.Pages pages = new FileTraffic.Pages(null, null);

        CountingObserver(CacheProbe probe) throws Exception {
            super(probe, order.recording());
            this.probe = probe;
            traffic = order.counted() ? new FileTraffic() : null;
            recorder = order.record() == null ? null : new PageRecorder(Path.of(order.record()));
            if (order.counted()) {
                probe.countHits();
            }
        }

        @Override
        public void onStart() throws Exception {
            super.onStart();
            start = Instant.now();
            if (traffic != null) {
                atStart = probe.counts();
            }
            if (order.advised()) {
                probe.resetEstimates();
            }
            if (recorder != null) {
                RecordingCacheFactory.record(recorder);
            }
        }

        @Override
        public void onTick(double fraction) throws Exception {
            super.onTick(fraction);
            if (recorder != null) {
                recorder.check();
            }
        }

        @Override
        public void onEnd() throws Exception {
            super.onEnd();
            if (recorder != null) {
                RecordingCacheFactory.record(null);
                recorded = recorder.finish();
            }
            if (traffic != null) {
                hitRatio = probe.counts().since(atStart).hitRatio();
                pages = traffic.between(start, Instant.now());
            }
            if (order.advised()) {
                estimates = probe.estimates();
            }
        }

        @Override
        public void close() {
            super.close();
            if (traffic != null) {
                traffic.close();
            }
            if (recorder != null) {
                try {
                    recorder.close();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }
}
