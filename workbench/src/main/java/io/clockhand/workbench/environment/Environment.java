// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.environment;

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
 * The machine and the JVM that measured, as every report has it.
 *
 * @param cores that the JVM may use
 * @param jvmFlags of the JVMs that were measured
 * @param date UTC, ISO 8601
 */
public record Environment(
        String cpu, int cores, long memoryBytes, String os, String jdk, List<String> jvmFlags, String date) {
    private static final Path CPU_INFO = Path.of("/proc/cpuinfo");
    private static final String MODEL_NAME = "model name";

    public static Environment here(List<String> jvmFlags) {
        return new Environment(
                processor(),
                Runtime.getRuntime().availableProcessors(),
                memory(),
                System.getProperty("os.name") + " " + System.getProperty("os.version"),
                System.getProperty("java.vm.name") + " " + System.getProperty("java.runtime.version"),
                List.copyOf(jvmFlags),
                Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    }

    /** The bytes of memory of this machine, or of the container that it is. */
    public static long memory() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getTotalMemorySize();
    }

    /** The model where the system says it, else the architecture. */
    private static String processor() {
        if (Files.isReadable(CPU_INFO)) {
            try (Stream<String> lines = Files.lines(CPU_INFO)) {
                String model = lines.filter(line -> line.startsWith(MODEL_NAME))
                        .map(line -> line.substring(line.indexOf(':') + 1).strip())
                        .findFirst()
                        .orElse("");
                if (!model.isEmpty()) {
                    return model;
                }
            } catch (IOException e) {
                // the architecture will do
            }
        }
        return System.getProperty("os.arch");
    }
}
