// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.replay;

import io.clockhand.workbench.experiment.options.Usage;
import io.clockhand.workbench.replay.driver.Replay.Writing;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Option;

/** Which references change their pages, and how fast the device and the log are. */
final class WriteOptions {
    /** So that no write of a batch takes longer than a second. */
    private static final long LEAST_DEVICE_WRITES = 100;

    private static final long MOST_PER_SECOND = 1_000_000_000;
    private static final String NO_LOG = "none";
    private static final Pattern WAIT = Pattern.compile("wait:([0-9]{1,9})(us|ms|s)");
    private static final long MOST_WAIT_NANOS = TimeUnit.SECONDS.toNanos(10);

    @Option(
            names = "--write-share",
            paramLabel = "P",
            description = "Percent of the references that change their page, drawn by --seed (default: 0, or those that"
                    + " a trace marks as writes; 0 ignores the marks).")
    private Double share;

    @Option(
            names = "--rate",
            paramLabel = "N",
            description = "References a second that all threads together attempt, in timed runs with writes"
                    + " (default: as many as they can).")
    private Long rate;

    @Option(
            names = "--device-writes",
            paramLabel = "N",
            description = "Pages a second that the device can write, however many are waiting (default: as many as"
                    + " the store can).")
    private Long deviceWrites;

    @Option(
            names = "--log",
            paramLabel = "none|wait:T",
            description = "Whether changes are logged; a force of the log takes T, such as 200us, 5ms or 1s"
                    + " (default: ${DEFAULT-VALUE}).")
    private String log = NO_LOG;

    /** {@code mayBeMarked} says whether a workload is a trace, which may have marks. */
    void check(Usage usage, boolean mayBeMarked, boolean timed) {
        if (share != null) {
            usage.requireWithin("--write-share", share, 0, 100);
        }
        if (rate != null) {
            usage.requireWithin("--rate", rate, 1, MOST_PER_SECOND);
            usage.require(timed, "--rate needs runs that are timed (--seconds)");
        }
        if (deviceWrites != null) {
            usage.requireWithin("--device-writes", deviceWrites, LEAST_DEVICE_WRITES, MOST_PER_SECOND);
        }
        usage.require(
                logNanos() <= MOST_WAIT_NANOS && logNanos() != 0 && (log.equals(NO_LOG) || logNanos() > 0),
                "--log is none, or wait:T with a T of at most 10s, such as 200us or 5ms, not '" + log + "'");
        usage.require(
                !needsWrites() || (share == null ? mayBeMarked : share > 0),
                "--rate, --device-writes and --log need writes: add --write-share");
    }

    /** Whether an option is given that does nothing without writes. */
    boolean needsWrites() {
        return rate != null || deviceWrites != null || !log.equals(NO_LOG);
    }

    /** Negative for no log, and for what is none. */
    private long logNanos() {
        Matcher typed = WAIT.matcher(log);
        if (!typed.matches()) {
            return -1;
        }
        TimeUnit unit = switch (typed.group(2)) {
            case "us" -> TimeUnit.MICROSECONDS;
            case "ms" -> TimeUnit.MILLISECONDS;
            default -> TimeUnit.SECONDS;
        };
        return unit.toNanos(Long.parseLong(typed.group(1)));
    }

    /** Whether a share of all references changes pages. */
    boolean hasShare() {
        return share != null && share > 0;
    }

    /** Whether references that a trace marks as writes change pages. */
    boolean playsMarks() {
        return share == null;
    }

    /** Of a timed run, or a counted one, which has no rate. */
    Writing writing(boolean timed) {
        return new Writing(
                share == null ? 0 : share,
                timed && rate != null ? rate : 0,
                deviceWrites == null ? 0 : deviceWrites,
                logNanos());
    }
}
