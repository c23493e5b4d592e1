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
import java.util.Objects;
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

    /** The version of the workbench, from its jar's manifest. */
    public static String version() {
        return Objects.requireNonNullElse(Environment.class.getPackage().getImplementationVersion(), "development");
    }

    /** The model where the system says it, else the architecture. */
    private static String processor() {
        String architecture = System.getProperty("os.arch");
        try (Stream<String> lines = Files.lines(CPU_INFO)) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse(architecture);
        } catch (IOException e) {
            return architecture;
        }
    }
}
