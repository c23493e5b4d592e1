// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.environment;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * The time of the processors since the machine was started, of all processes together, in ticks of the system.
 *
 * @param idle in which no process could run, those included in which one waited for a disk
 * @param all ticks
 */
public record ProcessorTimes(long idle, long all) {
    /** User, nice, system, idle, iowait, irq, softirq, steal; guests count as users already. */
    private static final int FIELDS = 8;

    /** {@return the times up to now, or null if the system does not tell} */
    public static ProcessorTimes now() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/stat"))) {
            return parse(lines.findFirst().orElse(""));
        } catch (IOException e) {
            return null;
        }
    }

    /** Null if the line has not the form that Linux gives it. */
    static ProcessorTimes parse(String line) {
        String[] words = line.split(" +", -1);
        if (words.length <= FIELDS || !line.matches("cpu( +[0-9]+)+")) {
            return null;
        }
        long[] ticks =
                Arrays.stream(words, 1, FIELDS + 1).mapToLong(Long::parseLong).toArray();
        return new ProcessorTimes(ticks[3] + ticks[4], LongStream.of(ticks).sum());
    }

    /** {@return the percentage of idle ticks between two moments, or null if it is not known} */
    public static Double idlePercent(ProcessorTimes before, ProcessorTimes after) {
        return before == null || after == null || after.all == before.all
                ? null
                : Double.valueOf(100.0 * (after.idle - before.idle) / (after.all - before.all));
    }

    /** The time of the processors that this JVM has used. */
    public static final class ProcessTime {
        private static final OperatingSystemMXBean SYSTEM =
                (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

        private ProcessTime() {}

        /** {@return nanoseconds of all processors and threads, since the JVM was started} */
        public static long nanos() {
            return SYSTEM.getProcessCpuTime();
        }
    }
}
