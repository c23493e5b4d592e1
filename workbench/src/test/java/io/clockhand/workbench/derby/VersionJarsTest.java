// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.derby.ClockhandDerby;
import io.clockhand.policy.ReplacementPolicy;
import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VersionJarsTest {
    @TempDir
    private Path directory;

    private static Path source(Class<?> type) throws URISyntaxException {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    }

    @Test
    void coreAndAdapterTogetherAreAVersionAndHaveNoLinks() throws Exception {
        Path core = source(ReplacementPolicy.class);
        Path link = Files.createSymbolicLink(directory.resolve("adapter"), source(ClockhandDerby.class));

        assertThat(Contender.versionJars(core + File.pathSeparator + link))
                .containsExactly(core.toRealPath().toString(), link.toRealPath().toString());
        assertThatThrownBy(() -> Contender.versionJars(core.toString()))
                .hasMessageStartingWith("none of its jars contains io.clockhand.derby.ClockhandCacheFactory;");
        assertThatThrownBy(() -> Contender.versionJars(link.toString()))
                .hasMessageStartingWith("none of its jars contains io.clockhand.policy.ReplacementPolicy;");
    }

    @Test
    void contenderOfAVersionHasItsPolicyAndItsJars() {
        List<String> jars = List.of("/before/core.jar", "/before/adapter.jar");
        Map<String, List<String>> versions = Map.of("before", jars);

        assertThat(Contender.of("bp:lru@before", versions)).isEqualTo(new Contender("bp:lru@before", "bp:lru", jars));
        assertThat(Contender.of("bp:lru", versions)).isEqualTo(new Contender("bp:lru", "bp:lru", List.of()));
        assertThatThrownBy(() -> Contender.of("lru@befor", versions))
                .hasMessage("unknown version 'befor'; did you mean before? Possible: before");
    }
}
