// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jmh.duel;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.Stream;

/**
 * The machine, the JVM and the time of a measurement.
 *
 * @param jvmFlags of the contenders
 * @param date UTC, ISO 8601
 */
public record Machine(
        String cpu, int cores, long memoryBytes, String os, String jdk, List<String> jvmFlags, String date) {
    private static final Path CPU_INFO = Path.of("/proc/cpuinfo");
    private static final String MODEL_NAME = "model name";

    /** The one that this JVM runs on. */
    public static Machine here(List<String> jvmFlags) {
        return new Machine(
                processor(),
                Runtime.getRuntime().availableProcessors(),
                ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getTotalMemorySize(),
                System.getProperty("os.name") + " " + System.getProperty("os.version"),
                System.getProperty("java.vm.name") + " " + System.getProperty("java.runtime.version"),
                List.copyOf(jvmFlags),
                Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    }

    /** The model if the system reports it, else the architecture. */
    private static String processor() {
        if (Files.isReadable(CPU_INFO)) {
            try (Stream<String> lines = Files.lines(CPU_INFO)) {
                return lines.filter(line -> line.startsWith(MODEL_NAME))
                        .map(line -> line.substring(line.indexOf(':') + 1).strip())
                        .findFirst()
                        .orElse(System.getProperty("os.arch"));
            } catch (IOException e) {
                // the architecture will do
            }
        }
        return System.getProperty("os.arch");
    }
}
