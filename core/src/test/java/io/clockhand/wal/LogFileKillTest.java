// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.wal;

import static io.clockhand.wal.LogRecords.bytes;
import static io.clockhand.wal.LogRecords.small;
import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.io.FileOption;
import io.clockhand.testing.ChildJvm;
import io.clockhand.testing.Tier;
import io.clockhand.wal.LogRecords.Entry;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process that has a {@link LogFile} ends in the middle of its work, again and again. */
@Tag("ci")
class LogFileKillTest {
    private static final int ACKNOWLEDGED = 300;
    private static final Pattern LINE = Pattern.compile("(?m)^durable (\\d+) (\\d+)$");

    @TempDir
    Path folder;

    @Test
    void recordsThatAKilledProcessHasAcknowledgedAreThere() throws IOException, InterruptedException {
        Map<Long, Integer> acknowledged = new TreeMap<>();
        for (int round = 0; round < Tier.pick(2, 4, 40); round++) {
            String output = ChildJvm.run(
                    List.of("-cp", System.getProperty("java.class.path"), Appender.class.getName(), folder.toString()));
            int before = acknowledged.size();
            LINE.matcher(output)
                    .results()
                    .forEach(line -> acknowledged.put(Long.valueOf(line.group(1)), Integer.valueOf(line.group(2))));
            assertThat(acknowledged.size() - before)
                    .as("records that round %s has acknowledged: %s", round, output)
                    .isGreaterThanOrEqualTo(ACKNOWLEDGED);
            try (LogFile log = small(folder).open()) {
                Map<Long, Entry> found =
                        LogRecords.read(log).stream().collect(Collectors.toMap(Entry::lsn, entry -> entry));
                acknowledged.forEach((lsn, length) -> assertThat(found.get(lsn))
                        .as("record at %s", lsn)
                        .isEqualTo(new Entry(lsn, bytes(length, length))));
            }
        }
    }

    /** Appends by four threads, until enough records were acknowledged. */
    static final class Appender {
        public static void main(String[] arguments) throws IOException {
            LogFile log = small(Path.of(arguments[0]), FileOption.CREATE).open();
            AtomicInteger acknowledged = new AtomicInteger();
            for (int i = 0; i < 4; i++) {
                int thread = i;
                new Thread(() -> append(log, thread, acknowledged)).start();
            }
        }

        private static void append(LogFile log, int thread, AtomicInteger acknowledged) {
            try {
                for (int i = 0; ; i++) {
                    int length = i % 50 == 49 ? 20_000 : (i * 4 + thread) * 37 % 2000;
                    long lsn = log.append(bytes(length, length));
                    log.makeDurable(lsn);
                    synchronized (acknowledged) {
                        System.out.println("durable " + lsn + " " + length);
                        System.out.flush();
                        if (acknowledged.incrementAndGet() == ACKNOWLEDGED) {
                            Runtime.getRuntime().halt(0);
                        }
                    }
                }
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }
    }
}
