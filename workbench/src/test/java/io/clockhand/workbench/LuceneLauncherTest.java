// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.workbench.environment.CommandFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LuceneLauncherTest {
    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            17 | lucene needs Java 22 or later, and this is Java 17
            22 | absent.jar, which is not there
            """)
    void oldJavaAndMissingJarAreExplainedWithTheBuild(int java, String expected) {
        assertThatThrownBy(() -> LuceneLauncher.require(java, directory.resolve("absent.jar")))
                .isInstanceOf(CommandFailure.class)
                .hasMessageContainingAll(expected, "mvn -q -DskipTests -pl lucene-bench -am package");
    }

    @Test
    void newJavaWithTheJarIsEnough() throws IOException {
        Path jar = Files.createFile(directory.resolve("lucene.jar"));

        assertThatCode(() -> LuceneLauncher.require(25, jar)).doesNotThrowAnyException();
    }
}
