// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jmh.duel;

import io.clockhand.duel.Contender;
import io.clockhand.duel.ContenderProcess;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.runner.BenchmarkListEntry;

/**
 * A benchmark with fixed parameters, which a JVM of its own runs.
 *
 * @param threads 0 for the benchmark's own number
 * @param iterations after the one that the set-up belongs to
 * @param jvmArguments null for the benchmark's own
 * @param directory for what the JVM needs, and for its log
 */
public record JmhContender(
        String name,
        BenchmarkJars jars,
        BenchmarkListEntry benchmark,
        Map<String, String> parameters,
        int threads,
        long sliceNanos,
        int iterations,
        List<String> jvmArguments,
        Path directory)
        implements Contender {
    /** A JVM takes further flags from these, which would reach the contenders unseen. */
    private static final List<String> HIDDEN_FLAGS = List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS");

    @Override
    public ContenderProcess start() throws IOException {
        Path own = Files.createTempDirectory(directory, "contender");
        Path hints = Files.write(own.resolve("hints"), jars.compilerHints());
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvmFlags());
        command.add("-XX:+UnlockDiagnosticVMOptions");
        command.add("-XX:+UnlockExperimentalVMOptions");
        command.add("-DcompilerBlackholesEnabled=true");
        command.add("-XX:CompileCommandFile=" + hints);
        command.add("-Djmh.ignoreLock=true");
        command.addAll(List.of("-cp", jars.classPath() + File.pathSeparator + extractMain(own)));
        command.add(ContenderMain.class.getName());
        command.addAll(List.of(
                benchmark.getUsername(),
                Integer.toString(threads),
                Long.toString(sliceNanos),
                Integer.toString(iterations)));
        parameters.forEach((parameter, value) -> command.add(parameter + "=" + value));
        Path log = own.resolve("log");
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(log.toFile());
        builder.environment().keySet().removeAll(HIDDEN_FLAGS);
        return new JmhProcess(name, builder.start(), log);
    }

    /** In JMH's order: the benchmark's prepended flags, the given arguments or its own, its appended flags. */
    public List<String> jvmFlags() {
        List<String> flags = new ArrayList<>(benchmark.getJvmArgsPrepend().orElse(List.of()));
        flags.addAll(
                jvmArguments != null ? jvmArguments : benchmark.getJvmArgs().orElse(List.of()));
        flags.addAll(benchmark.getJvmArgsAppend().orElse(List.of()));
        return flags;
    }

    /** The contender's main class alone, so that nothing else of these jars meets the benchmark's. */
    private static Path extractMain(Path directory) throws IOException {
        String file = ContenderMain.class.getName().replace('.', '/') + ".class";
        Path target = directory.resolve("classes").resolve(file);
        Files.createDirectories(target.getParent());
        try (InputStream input = ContenderMain.class.getResourceAsStream("/" + file)) {
            Files.copy(input, target);
        }
        return directory.resolve("classes");
    }
}
