// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.derby.ClockhandDerby;
import io.clockhand.policy.ReplacementPolicy;
import io.clockhand.workbench.derby.Contender.VersionJars;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VersionJarsTest {
    private static final Map<String, List<String>> VERSIONS =
            Map.of("before", List.of("/before/core.jar", "/before/adapter.jar"));

    @TempDir
    private Path directory;

    private static Path source(Class<?> type) throws URISyntaxException {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    }

    @Test
    void coreAndAdapterTogetherAreAVersion() throws URISyntaxException {
        Path core = source(ReplacementPolicy.class);
        Path adapter = source(ClockhandDerby.class);

        assertThat(VersionJars.parse(core + File.pathSeparator + adapter)).containsExactly(core, adapter);
        assertThat(VersionJars.fault(List.of(core, adapter))).isEmpty();
    }

    @Test
    void partOfAVersionIsRefused() throws URISyntaxException {
        assertThat(VersionJars.fault(List.of(source(ReplacementPolicy.class))).orElseThrow())
                .startsWith("none of its jars contains io.clockhand.derby.ClockhandCacheFactory;");
        assertThat(VersionJars.fault(List.of(source(ClockhandDerby.class))).orElseThrow())
                .startsWith("none of its jars contains io.clockhand.policy.ReplacementPolicy;");
    }

    @Test
    void jarThatDoesNotExistIsRefused() {
        Path absent = directory.resolve("absent.jar");

        assertThat(VersionJars.fault(List.of(absent))).contains("there is no " + absent);
    }

    @Test
    void pathsHaveNoLinks() throws IOException {
        Path jar = Files.createFile(directory.resolve("a.jar")).toRealPath();
        Path link = Files.createSymbolicLink(directory.resolve("link.jar"), jar);

        assertThat(VersionJars.realPaths(List.of(link))).containsExactly(jar.toString());
    }

    @Test
    void contenderOfAVersionHasItsPolicyAndItsJars() {
        assertThat(Contender.of("bp:lru@before", VERSIONS))
                .isEqualTo(new Contender("bp:lru@before", "bp:lru", VERSIONS.get("before")));
        assertThat(Contender.of("bp:lru", VERSIONS)).isEqualTo(new Contender("bp:lru", "bp:lru", List.of()));
    }

    @Test
    void unknownVersionIsAnsweredWithTheNearest() {
        assertThatThrownBy(() -> Contender.of("lru@befor", VERSIONS))
                .hasMessage("unknown version 'befor'; did you mean before? Possible: before");
    }
}
