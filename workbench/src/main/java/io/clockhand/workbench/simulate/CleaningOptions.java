// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.simulate;

import io.clockhand.workbench.options.CommaList;
import io.clockhand.workbench.options.Usage;
import java.util.List;
import picocli.CommandLine.Option;

/** Which references make their pages dirty, and how fast dirty frames are written. */
final class CleaningOptions {
    private static final String ADAPTIVE = "adaptive";
    private static final int MOST_WRITE_TIME = 1_000_000;
    private static final int MOST_IN_FLIGHT = 1 << 20;

    @Option(
            names = "--dirty-share",
            paramLabel = "P|trace,…",
            split = ",",
            converter = DirtyShare.Converter.class,
            description = "Percent of the references that make their page dirty, drawn by --seed; or those that a trace"
                    + " marks as writes (default: ${DEFAULT-VALUE}).")
    private List<DirtyShare> shares = CommaList.of(DirtyShare.NONE);

    @Option(
            names = "--write-time",
            paramLabel = "N",
            description = "Misses that pass while a dirty page is written (default: ${DEFAULT-VALUE}, an SSD's writes"
                    + " beside 32 threads that read).")
    private int writeTime = 180;

    @Option(
            names = "--writes-in-flight",
            paramLabel = "N|" + ADAPTIVE,
            description = "Pages written at once: at most N, or half of those that are dirty and queued, and at least"
                    + " 4 (default: ${DEFAULT-VALUE}).")
    private String inFlight = ADAPTIVE;

    /**
     * Refuses wrong values.
     *
     * @param traces whether all workloads are files, which may have marks
     */
    void check(Usage usage, boolean traces) {
        usage.requireOnce("--dirty-share", "a share", shares);
        usage.require(
                traces || !playsMarks(),
                "--dirty-share trace needs a FILE for each --trace, since nothing else marks writes");
        usage.requireWithin("--write-time", writeTime, 0, MOST_WRITE_TIME);
        usage.require(
                inFlight.equals(ADAPTIVE) || (inFlight.matches("[0-9]{1,7}") && isWithin(Integer.parseInt(inFlight))),
                "--writes-in-flight must lie in 1 … " + MOST_IN_FLIGHT + ", or be " + ADAPTIVE + ", not '" + inFlight
                        + "'");
    }

    private static boolean isWithin(int count) {
        return count >= 1 && count <= MOST_IN_FLIGHT;
    }

    List<DirtyShare> shares() {
        return shares;
    }

    /** Whether the marks of traces are asked for. */
    boolean playsMarks() {
        return shares.contains(DirtyShare.OF_TRACE);
    }

    /** Whether any page ever is dirty. */
    boolean haveWrites() {
        return !shares.equals(List.of(DirtyShare.NONE));
    }

    CleanerModel.Speed speed() {
        return new CleanerModel.Speed(
                writeTime, inFlight.equals(ADAPTIVE) ? CleanerModel.Speed.ADAPTIVE : Integer.parseInt(inFlight));
    }

    /** For the reader of the figures. */
    String inWords() {
        return "Dirty frames are written in the order in which searches met them, "
                + (inFlight.equals(ADAPTIVE) ? "half of them and at least 4" : inFlight) + " at once; a write takes "
                + writeTime + " misses. A miss that finds no clean frame waits for the oldest write: a read stall.";
    }
}
