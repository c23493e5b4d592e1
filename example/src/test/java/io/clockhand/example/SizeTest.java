// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.example;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The example stays so small that it can be read in an afternoon. */
class SizeTest {
    private static final int GREATEST = 1_000;

    @Test
    void exampleHasAtMostAThousandLines() throws IOException {
        long lines = 0;
        try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                List<String> all = Files.readAllLines(file);
                lines +=
                        all.stream().map(String::strip).filter(SizeTest::isCode).count();
            }
        }
        assertThat(lines).as("lines that are neither blank nor comments").isBetween(1L, (long) GREATEST);
    }

    private static boolean isCode(String line) {
        return !line.isEmpty() && !line.startsWith("//") && !line.startsWith("*") && !line.startsWith("/*");
    }
}
