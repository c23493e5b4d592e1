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

class LuceneLauncherTest {
    private static final String BUILD = "mvn -q -DskipTests -pl lucene-bench -am package";

    @TempDir
    private Path directory;

    @Test
    void oldJavaIsToldWhichOneIsNeededAndHowToBuild() {
        assertThatThrownBy(() -> LuceneLauncher.require(17, directory.resolve("absent.jar")))
                .isInstanceOf(CommandFailure.class)
                .hasMessageContaining("lucene needs Java 22 or later, and this is Java 17")
                .hasMessageContaining(BUILD);
    }

    @Test
    void missingJarIsNamedWithItsBuild() {
        assertThatThrownBy(() -> LuceneLauncher.require(22, directory.resolve("absent.jar")))
                .isInstanceOf(CommandFailure.class)
                .hasMessageContaining("absent.jar")
                .hasMessageContaining(BUILD);
    }

    @Test
    void newJavaWithTheJarIsEnough() throws IOException {
        Path jar = Files.createFile(directory.resolve("lucene.jar"));

        assertThatCode(() -> LuceneLauncher.require(25, jar)).doesNotThrowAnyException();
    }
}
