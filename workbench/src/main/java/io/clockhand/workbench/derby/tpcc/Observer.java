// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.tpcc;

import io.clockhand.workbench.derby.driver.CacheProbe;
import io.clockhand.workbench.derby.driver.PageRecorder;
import io.clockhand.workbench.derby.driver.RecordingCacheFactory;
import io.clockhand.workbench.derby.tpcc.TpccRun.Statistics;
import io.clockhand.workbench.environment.Child;
import java.nio.file.Path;
import java.time.Instant;
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
    /** Null without a profile. */
    private final Recording profile;
    /** Keeps the Flight Recorder going from the warm-up on, since its start takes a while; null without a profile. */
    private final Recording primer;

    private Instant start;
    /** The pages that the cache held when measuring began. */
    int residentAtStart;
    /** Null if nothing was counted. */
    Statistics statistics;

    Observer(TpccRun run, CacheProbe probe) throws Exception {
        this.run = run;
        this.probe = probe;
        traffic = run.counted() ? new FileTraffic() : null;
        recorder = run.record() == null ? null : new PageRecorder(Path.of(run.record()));
        profile = run.profile() == null ? null : new Recording(Configuration.getConfiguration("profile"));
        primer = run.profile() == null ? null : new Recording(Configuration.getConfiguration("profile"));
        if (primer != null) {
            primer.start();
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
            probe.startCounting(run.advised());
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
        if (recorder != null) {
            RecordingCacheFactory.record(null);
            recorder.finish();
        }
        if (run.counted()) {
            Double hitRatio = probe.hitRatio();
            FileTraffic.Pages pages = traffic.between(start, Instant.now());
            statistics =
                    new Statistics(hitRatio, pages.read(), pages.written(), run.advised() ? probe.estimates() : null);
        }
    }

    @Override
    public void close() throws Exception {
        if (profile != null) {
            profile.close();
        }
        if (traffic != null) {
            traffic.close();
        }
        if (recorder != null) {
            recorder.close();
        }
    }
}
