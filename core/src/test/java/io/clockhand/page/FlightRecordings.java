// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.testing.Workers;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/** Reads what Flight Recorder has recorded. */
final class FlightRecordings {
    private FlightRecordings() {}

    /** {@return the events of one kind that are recorded, however short, while some work is done} */
    static List<RecordedEvent> recorded(Path directory, String event, Workers.Work work) throws Exception {
        try (Recording recording = new Recording()) {
            recording.enable(event).withThreshold(Duration.ZERO);
            recording.start();
            work.run();
            recording.stop();
            return of(event, all(directory, recording));
        }
    }

    /** {@return all events of a recording that has been stopped, in the order in which they began} */
    static List<RecordedEvent> all(Path directory, Recording recording) throws IOException {
        Path file = directory.resolve("recording-" + recording.getId() + ".jfr");
        recording.dump(file);
        return RecordingFile.readAllEvents(file).stream()
                .sorted(Comparator.comparing(RecordedEvent::getStartTime)) // the buffers of a thread may be mixed
                .toList();
    }

    /** {@return the events of one kind} */
    static List<RecordedEvent> of(String event, List<RecordedEvent> events) {
        return events.stream()
                .filter(each -> each.getEventType().getName().equals(event))
                .toList();
    }

    /** {@return the only event} */
    static RecordedEvent only(List<RecordedEvent> events) {
        assertThat(events).hasSize(1);
        return events.get(0);
    }
}
