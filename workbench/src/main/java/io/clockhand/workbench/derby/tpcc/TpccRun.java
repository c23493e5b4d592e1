// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.tpcc;

import io.clockhand.workbench.derby.driver.CacheProbe;
import io.clockhand.workbench.derby.driver.CacheProbe.Counts;
import io.clockhand.workbench.derby.driver.Database;
import io.clockhand.workbench.derby.driver.Observer;
import io.clockhand.workbench.derby.driver.PageRecorder;
import io.clockhand.workbench.derby.driver.PageRecorder.Recorded;
import io.clockhand.workbench.derby.driver.RecordingCacheFactory;
import io.clockhand.workbench.derby.driver.RunTask;
import io.clockhand.workbench.derby.tpcc.Terminals.DeliveryQueue;
import io.clockhand.workbench.derby.tpcc.Terminals.Tally;
import io.clockhand.workbench.environment.Child;
import io.clockhand.workbench.environment.Failures;
import io.clockhand.workbench.experiment.Order;
import io.clockhand.workbench.experiment.report.Estimated;
import io.clockhand.workbench.workload.tpcc.Scale;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleConsumer;
import javax.sql.DataSource;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/**
 * One run: terminals first, the twelve conditions afterwards.
 *
 * @param scale the database was loaded with
 * @param counted whether to count hits and I/O, which slows everything down, instead of only measuring throughput
 * @param record file for the references to pages in the measured interval, or null
 * @param advised whether the cache estimates its hit ratios
 */
record TpccRun(RunTask task, Scale scale, boolean keying, boolean counted, String record, boolean advised)
        implements Order<RunAnswer> {
    @Override
    public RunAnswer perform(DoubleConsumer progress) throws Exception {
        DataSource database = Database.open(task.directory());
        database.getConnection().close();
        Terminals terminals = new Terminals(this, database);
        try (CountingObserver observer = new CountingObserver(CacheProbe.of(task.cache()))) {
            terminals.run(observer);
            return answer(terminals, observer);
        } catch (SQLException e) {
            if (task.slices() != null) {
                throw e; // the referee waits for a slice, not for an answer
            }
            e.printStackTrace();
            return RunAnswer.brokenOff(terminals.total().errors(), Failures.sentence(e));
        }
    }

    private RunAnswer answer(Terminals terminals, CountingObserver observer) throws Exception {
        int maxResidentPages = observer.maxResidentPages();
        List<String> damage = new ArrayList<>();
        Consistency.Verdict verdict = check(terminals, damage);
        Tally total = terminals.total();
        return new RunAnswer(
                total.newOrders() * 60.0 / task.seconds(),
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
    private Consistency.Verdict check(Terminals terminals, List<String> damage) throws SQLException {
        Child.progress(1, "checking");
        Database.shutDown(task.directory());
        int[] delivered = DeliveryQueue.deliveredByDistrict(scale(), terminals.deliveries);
        Consistency.Verdict verdict = Consistency.of(Database.open(task.directory()), scale(), delivered);
        if (verdict.stock() != null) {
            damage.add("holds a wrong stock in " + verdict.stock());
        }
        if (counted() && Consistency.areIndexesChecked(scale().warehouses())) {
            damage.addAll(Consistency.brokenIndexes(Database.open(task.directory())));
        }
        Database.shutDown(task.directory());
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
            super(probe, task.recording());
            this.probe = probe;
            traffic = counted() ? new FileTraffic() : null;
            recorder = record() == null ? null : new PageRecorder(Path.of(record()));
            if (counted()) {
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
            if (advised()) {
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
            if (advised()) {
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

    /**
     * Counts the pages that go to and from the container files, the same way for every cache: by the Flight Recorder's
     * events of file reads and writes, all of them however short.
     */
    static final class FileTraffic implements AutoCloseable {
        private static final String READ = "jdk.FileRead";
        private static final String WRITE = "jdk.FileWrite";
        /** Derby's directory of containers; the log lies elsewhere. */
        private static final Path CONTAINERS = Path.of("seg0");

        private static final int PAGE_BYTES = 4096;

        /** Transfers of one page; null where they were not counted. */
        record Pages(Long read, Long written) {}

        private final Recording recording = new Recording();

        /** Begins to record. The Flight Recorder starts slowly: begin well before the interval. */
        FileTraffic() {
            for (String event : List.of(READ, WRITE)) {
                recording
                        .enable(event)
                        .withThreshold(Duration.ZERO)
                        .withoutStackTrace()
                        .with("throttle", "off");
            }
            recording.start();
        }

        /** The pages that went between two moments, after which nothing more is watched. */
        Pages between(Instant from, Instant to) throws IOException {
            recording.stop();
            Path file = Files.createTempFile("clockhand", ".jfr");
            try {
                recording.dump(file);
                long reads = 0;
                long writes = 0;
                try (RecordingFile events = new RecordingFile(file)) {
                    while (events.hasMoreEvents()) {
                        RecordedEvent event = events.readEvent();
                        if (!event.getStartTime().isBefore(from)
                                && event.getStartTime().isBefore(to)) {
                            reads += isPage(event, READ, "bytesRead") ? 1 : 0;
                            writes += isPage(event, WRITE, "bytesWritten") ? 1 : 0;
                        }
                    }
                }
                return new Pages(reads, writes);
            } finally {
                Files.delete(file);
            }
        }

        private static boolean isPage(RecordedEvent event, String type, String bytes) {
            if (!event.getEventType().getName().equals(type) || event.getLong(bytes) != PAGE_BYTES) {
                return false;
            }
            String path = event.getString("path");
            Path parent = path == null ? null : Path.of(path).getParent();
            return parent != null && parent.endsWith(CONTAINERS);
        }

        @Override
        public void close() {
            recording.close();
        }
    }
}
