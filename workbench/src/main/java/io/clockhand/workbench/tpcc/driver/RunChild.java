// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.tpcc.driver;

import io.clockhand.workbench.environment.Child;
import io.clockhand.workbench.environment.Failures;
import io.clockhand.workbench.tpcc.check.Consistency;
import io.clockhand.workbench.tpcc.driver.CacheProbe.Counts;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Map;
import javax.sql.DataSource;

/** The child JVM of one run: terminals first, the twelve conditions afterwards. */
public final class RunChild {
    private final RunOrder order;
    private final Path directory;
    private final DataSource database;

    private RunChild(RunOrder order) {
        this.order = order;
        this.directory = Path.of(order.database());
        this.database = Database.open(directory);
    }

    public static void main(String[] arguments) {
        Child.serve(arguments, RunOrder.class, order -> new RunChild(order).run());
    }

    private RunAnswer run() throws Exception {
        database.getConnection().close();
        CacheProbe probe = CacheProbe.of(order.policy());
        Measurement measurement = new Measurement(order, database);
        Observer observer = new Observer(probe);
        try {
            measurement.run(observer);
        } catch (SQLException e) {
            e.printStackTrace();
            return RunAnswer.brokenOff(measurement.total().errors(), Failures.sentence(e));
        }
        int maxResidentPages = probe.maxResidentPages();
        Map<Integer, String> broken = check(measurement);
        Tally total = measurement.total();
        return new RunAnswer(
                total.newOrders() * 60.0 / order.seconds(),
                total.transactions(),
                total.retries(),
                total.errors(),
                total.percentiles(),
                maxResidentPages,
                Consistency.asFlags(broken),
                broken,
                observer.hitRatio,
                observer.pages == null ? null : observer.pages.read(),
                observer.pages == null ? null : observer.pages.written(),
                null);
    }

    /** On the database as it was written back: shut down, then opened again. */
    private Map<Integer, String> check(Measurement measurement) throws SQLException {
        Child.progress(1, "checking");
        Database.shutDown(directory);
        int[] delivered = DeliveryQueue.deliveredByDistrict(order.scale(), measurement.deliveries());
        Map<Integer, String> broken = Consistency.broken(database, order.scale(), delivered);
        Database.shutDown(directory);
        return broken;
    }

    /** Profiles or counts the measured interval, whichever was asked for. */
    private final class Observer implements Measurement.Watch {
        private final CacheProbe probe;
        private Profile profile;
        private FileTraffic traffic;
        private Counts atStart;
        private Double hitRatio;
        private FileTraffic.Pages pages;

        Observer(CacheProbe probe) {
            this.probe = probe;
        }

        @Override
        public void onStart() throws Exception {
            profile = Profile.start(order.recording());
            if (order.counted()) {
                probe.countHits();
                traffic = FileTraffic.watch();
                atStart = probe.counts();
            }
        }

        @Override
        public void onTick(double fraction) throws Exception {
            probe.maxResidentPages();
            Child.progress(fraction, "running");
        }

        @Override
        public void onEnd() throws Exception {
            profile.close();
            if (order.counted()) {
                hitRatio = probe.counts().since(atStart).hitRatio();
                traffic.stop();
                pages = pagesAndClose();
            }
        }

        private FileTraffic.Pages pagesAndClose() throws IOException {
            try (FileTraffic stopped = traffic) {
                return stopped.pages();
            }
        }
    }
}
