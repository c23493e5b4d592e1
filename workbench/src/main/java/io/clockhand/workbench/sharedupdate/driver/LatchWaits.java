// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.sharedupdate.driver;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/** Counts the waits of threads for latches of a pool, by its events, all of them however short. */
final class LatchWaits implements AutoCloseable {
    private static final String EVENT = "io.clockhand.Wait";
    private static final String SUBJECT = "waitedFor";
    private static final String LATCH = "latch";

    private final Recording recording = new Recording();
    private final long begin;

    /**
     * The waits that have ended.
     *
     * @param waitingThreads how many threads waited on average
     */
    record Waits(long count, double waitingThreads) {}

    LatchWaits() {
        recording.enable(EVENT).withThreshold(Duration.ZERO).withoutStackTrace();
        recording.start();
        begin = System.nanoTime();
    }

    /**
     * Those up to now, when no thread waits any more.
     *
     * @param directory for a temporary file
     */
    Waits stop(Path directory) throws IOException {
        long elapsed = System.nanoTime() - begin;
        recording.stop();
        Path file = directory.resolve("waits.jfr");
        recording.dump(file);
        long count = 0;
        long nanos = 0;
        try (RecordingFile events = new RecordingFile(file)) {
            while (events.hasMoreEvents()) {
                RecordedEvent event = events.readEvent();
                if (event.getEventType().getName().equals(EVENT)
                        && event.getString(SUBJECT).startsWith(LATCH)) {
                    count++;
                    nanos += event.getDuration().toNanos();
                }
            }
        }
        Files.delete(file);
        return new Waits(count, (double) nanos / elapsed);
    }

    @Override
    public void close() {
        recording.close();
    }
}
