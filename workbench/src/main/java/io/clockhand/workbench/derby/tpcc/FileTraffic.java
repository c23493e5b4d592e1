// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.tpcc;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/**
 * Counts the pages that go to and from the container files, the same way for every cache: by the Flight Recorder's
 * events of file reads and writes, all of them however short.
 */
final class FileTraffic implements AutoCloseable {
    private static final String READ = "jdk.FileRead";
    private static final String WRITE = "jdk.FileWrite";

    /** Transfers of one page. */
    record Pages(long read, long written) {}

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

    /** Derby's containers lie in the directory seg0, the log lies elsewhere. */
    private static boolean isPage(RecordedEvent event, String type, String bytes) {
        if (!event.getEventType().getName().equals(type) || event.getLong(bytes) != 4096) {
            return false;
        }
        String path = event.getString("path");
        Path parent = path == null ? null : Path.of(path).getParent();
        return parent != null && parent.endsWith("seg0");
    }

    @Override
    public void close() {
        recording.close();
    }
}
