// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.guide;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.page.BufferPool;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program of README.md is compiled and run as the page says: in an empty folder, by the source launcher. */
class ReadmeProgramTest {
    private static final Pattern PROGRAM =
            Pattern.compile("<!-- PROGRAM (\\w+):.*?-->\\n```java\\n(.*?)```", Pattern.DOTALL);

    /** Only a hang reaches it. */
    private static final long LIMIT_SECONDS = 300;

    @TempDir
    private Path folder;

    @Test
    void programCountsItsRuns() throws IOException, InterruptedException, URISyntaxException {
        Matcher program = PROGRAM.matcher(Files.readString(Path.of("..", "README.md")));
        assertThat(program.find()).as("README.md has a program").isTrue();
        Path source = folder.resolve(program.group(1) + ".java");
        Files.writeString(source, program.group(2));

        assertThat(run(source)).isEqualTo("visit 1\n");
        assertThat(run(source)).isEqualTo("visit 2\n");
        assertThat(folder.resolve("visits.db")).hasSize(4096);
    }

    private String run(Path source) throws IOException, InterruptedException, URISyntaxException {
        Path output = folder.resolve("output");
        Path classes = Path.of(BufferPool.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        ProcessBuilder program = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        classes.toString(),
                        source.getFileName().toString()))
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        // for each of them the JVM prints a line of its own
        program.environment().keySet().removeAll(List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"));
        Process process = program.start();
        try {
            assertThat(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS))
                    .as("the program ends")
                    .isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(process.exitValue()).as(Files.readString(output)).isZero();
        return Files.readString(output).replace(System.lineSeparator(), "\n");
    }
}
