// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench;

import io.clockhand.workbench.environment.CommandFailure;
import io.clockhand.workbench.environment.Installation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

/**
 * The command {@code lucene} where Lucene is not on the class path: starts the workbench of the jar with Lucene, which
 * is built on a newer Java than this one needs, and passes all arguments on.
 */
@Command(
        name = "lucene",
        description = "Searches in an index of Apache Lucene that is read in several ways; needs Java 22 or later.")
public final class LuceneLauncher implements Callable<Integer> {
    private static final int JAVA = 22;

    @Unmatched
    private List<String> arguments = new ArrayList<>();

    @Override
    public Integer call() throws IOException, InterruptedException {
        Path jar = Installation.here().builtFile(Path.of("lucene-bench", "target", "lucene-benchmarks.jar"));
        require(Runtime.version().feature(), jar);
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp", jar.toString()));
        command.addAll(List.of("io.clockhand.lucene.bench.LuceneWorkbench", "lucene"));
        command.addAll(arguments);
        Process process = new ProcessBuilder(command).inheritIO().start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> end(process), "end of lucene"));
        return process.waitFor();
    }

    /** After Ctrl-C it cleans up, and this process ends after it. */
    private static void end(Process process) {
        process.destroy();
        process.onExit().completeOnTimeout(process, 1, TimeUnit.MINUTES).join();
        process.destroyForcibly();
    }

    /** Fails, in one sentence that says what to do, if this Java is too old or there is no jar. */
    static void require(int java, Path jar) {
        if (java < JAVA) {
            throw new CommandFailure("lucene needs Java " + JAVA + " or later, and this is Java " + java
                    + ": run the workbench by /path/to/jdk-25/bin/java"
                    + (Files.exists(jar) ? "" : ", after " + build()));
        }
        if (!Files.exists(jar)) {
            throw new CommandFailure("lucene needs " + jar + ", which is not there; it is built by " + build());
        }
    }

    private static String build() {
        return "'JAVA_HOME=/path/to/jdk-25 mvn -q -DskipTests -pl lucene-bench -am package'";
    }
}
