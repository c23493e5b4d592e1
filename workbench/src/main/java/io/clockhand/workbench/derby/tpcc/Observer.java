// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.tpcc;

import io.clockhand.workbench.derby.driver.CacheProbe;
import io.clockhand.workbench.derby.driver.CacheProbe.Counts;
import io.clockhand.workbench.derby.driver.PageRecorder;
import io.clockhand.workbench.derby.driver.PageRecorder.Recorded;
import io.clockhand.workbench.derby.driver.RecordingCacheFactory;
import io.clockhand.workbench.derby.tpcc.RunAnswer.Statistics;
import io.clockhand.workbench.environment.Child;
import io.clockhand.workbench.experiment.report.Estimated;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import jdk.jfr.Configuration;
import jdk.jfr.Recording;

/** Watches the page cache during a run; counts, records or profiles the measured interval if that was asked for. */
final class Observer implements AutoCloseable {
    private final TpccRun run;
    private final CacheProbe probe;
    /** Null if nothing is counted. */
    private final FileTraffic traffic;
    /** Null if nothing is recorded. */
    private final PageRecorder recorder;
    /** Keeps the Flight Recorder going from the warm-up on, since its start takes a while; null without a profile. */
    private final Recording primer;

    private final Recording profile;
    private int residentAtStart;
    private Instant start;
    private Counts atStart;
    private Statistics statistics;

    Observer(TpccRun run, CacheProbe probe) throws Exception {
        this.run = run;
        this.probe = probe;
        primer = run.profile() == null ? null : new Recording(Configuration.getConfiguration("profile"));
        profile = run.profile() == null ? null : new Recording(Configuration.getConfiguration("profile"));
        if (primer != null) {
            primer.start();
        }
        traffic = run.counted() ? new FileTraffic() : null;
        recorder = run.record() == null ? null : new PageRecorder(Path.of(run.record()));
        if (run.counted()) {
            probe.countHits();
        }
    }

    /** The warm-up is over. */
    void onStart() throws Exception {
        residentAtStart = probe.residentPages();
        if (profile != null) {
            profile.start();
        }
        start = Instant.now();
        if (run.counted()) {
            atStart = probe.counts();
        }
        if (run.advised()) {
            probe.resetEstimates();
        }
        if (recorder != null) {
            RecordingCacheFactory.record(recorder);
        }
    }

    /** Several times a second, with the part of the run that has passed. */
    void onTick(double fraction) throws Exception {
        probe.sample();
        Child.progress(fraction, "running");
        if (recorder != null) {
            recorder.check();
        }
    }

    /** Measuring is over; not called if the run was broken off. */
    void onEnd() throws Exception {
        if (profile != null) {
            profile.stop();
            profile.dump(Path.of(run.profile()));
        }
        if (!run.counted()) {
            return;
        }
        Recorded recorded = null;
        if (recorder != null) {
            RecordingCacheFactory.record(null);
            recorded = recorder.finish();
        }
        Double hitRatio = probe.counts().since(atStart).hitRatio();
        FileTraffic.Pages pages = traffic.between(start, Instant.now());
        List<Estimated> estimates = run.advised() ? probe.estimates() : null;
        statistics = new Statistics(hitRatio, pages.read(), pages.written(), estimates, recorded);
    }

    /** The pages that the cache held when measuring began. */
    int residentAtStart() {
        return residentAtStart;
    }

    /** Null if nothing was counted. */
    Statistics statistics() {
        return statistics;
    }

    @Override
    public void close() {
        if (profile != null) {
            profile.close();
            primer.close();
        }
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
