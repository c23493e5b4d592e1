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
    private static final Pattern WAIT = Pattern.compile("wait:([1-9][0-9]{0,8})(us|ms)");
    private static final long MOST_WAIT_NANOS = TimeUnit.SECONDS.toNanos(10);

    @Option(
            names = "--write-share",
            paramLabel = "P",
            description = "Percent of the references that change their page, drawn by --seed (default: those that a"
                    + " trace marks as writes, which a share replaces).")
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
            description = "Whether changes are logged; a force of the log takes T, such as 200us or 5ms"
                    + " (default: ${DEFAULT-VALUE}).")
    private String log = "none";

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
                log.equals("none") || (logNanos() > 0 && logNanos() <= MOST_WAIT_NANOS),
                "--log is none, or wait:T with a T of at most 10000ms, such as 200us or 5ms, not '" + log + "'");
        usage.require(
                !needsWrites() || (share == null ? mayBeMarked : share > 0),
                "--rate, --device-writes and --log need writes: add --write-share");
    }

    /** Whether an option is given that does nothing without writes. */
    boolean needsWrites() {
        return rate != null || deviceWrites != null || logNanos() > 0;
    }

    /** Negative for no log. */
    private long logNanos() {
        Matcher typed = WAIT.matcher(log);
        if (!typed.matches()) {
            return -1;
        }
        TimeUnit unit = typed.group(2).equals("us") ? TimeUnit.MICROSECONDS : TimeUnit.MILLISECONDS;
        return unit.toNanos(Long.parseLong(typed.group(1)));
    }

    /** Whether a trace's marks of writes count. */
    boolean playsMarks() {
        return share == null;
    }

    /** Percent of the references; 0 for those that are marked, or none. */
    double share() {
        return share == null ? 0 : share;
    }

    /** Of a timed run, or a counted one, which has no rate. */
    Writing writing(boolean timed) {
        return new Writing(
                share(), timed && rate != null ? rate : 0, deviceWrites == null ? 0 : deviceWrites, logNanos());
    }
}
