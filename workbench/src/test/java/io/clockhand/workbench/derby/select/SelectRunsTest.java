// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.select;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.clockhand.derby.ClockhandDerby;
import io.clockhand.policy.ReplacementPolicy;
import io.clockhand.workbench.environment.Disk;
import io.clockhand.workbench.experiment.Experiments;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole command on a small table, with child JVMs and both caches. */
class SelectRunsTest {
    @TempDir
    private Path directory;

    private DerbySelect parse(long seed, String caches) {
        return SelectReportTest.parse("--terminals 2 --pool-percent 30 --rows 5000 --keys 80-20"
                + " --seconds 1 --warmup 0 --heap 128m --seed " + seed + " --caches "
                + caches + " --out " + directory.resolve("out") + " --data " + directory.resolve("data"));
    }

    @Test
    void bothCachesSelectRightRows() throws IOException {
        Experiments.Output output = Experiments.run(parse(3, "derby,nb-gclock3"));

        assertThat(output.runs()).hasSize(2);
        for (JsonNode run : output.runs()) {
            assertThat(run.get("selects").longValue()).isNotNegative();
            assertThat(run.get("selectsPerSecond").doubleValue())
                    .as("a slice of a second, or a little more")
                    .isBetween(0.0, run.get("selects").doubleValue());
            assertThat(run.get("wrongRows").longValue()).isZero();
            int poolPages = run.get("poolPages").intValue();
            assertThat(run.get("maxResidentPages").intValue()).isBetween(poolPages * 7 / 10, poolPages * 12 / 10);
        }
        assertThat(output.json().get("summary")).hasSize(2);
        assertThat(output.json().get("summary").get(1).get("ratioToDerby").has("median"))
                .isTrue();
        assertThat(output.out()).contains("Every row read had its own content.");
        try (Stream<Path> left = Files.walk(directory.resolve("data"))) {
            assertThat(left).noneMatch(path -> path.endsWith("run"));
        }
    }

    @Tag("ci")
    @Test
    void versionInOtherJarsRunsAgainstThatOfTheWorkbench() throws Exception {
        Path core = copy(ReplacementPolicy.class, "core");
        Path adapter = copy(ClockhandDerby.class, "adapter");

        Experiments.Output output = Experiments.run(
                parse(3, "nb-gclock3@copied,nb-gclock3,derby --jars copied=" + core + File.pathSeparator + adapter));

        assertThat(output.runs("cache")).containsExactly("nb-gclock3@copied", "nb-gclock3", "derby");
        assertThat(output.json().get("options").get("jars").get("copied").textValue())
                .isEqualTo(core + File.pathSeparator + adapter);
    }

    /** The jar, or the directory of classes, that a class comes from. */
    private Path copy(Class<?> type, String name) throws IOException, URISyntaxException {
        Path source =
                Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
        Path copy = directory.resolve(name);
        if (Files.isDirectory(source)) {
            Disk.copyTree(source, copy);
        } else {
            Files.copy(source, copy);
        }
        return copy;
    }

    /** The rows of seed 3, passed off as those of seed 4: no row has the content that is asked for. */
    @Tag("ci")
    @Test
    void wrongRowsMakeTheCommandFail() throws IOException {
        Experiments.run(parse(3, "nb-gclock3"));
        Path loaded;
        try (Stream<Path> entries = Files.list(directory.resolve("data"))) {
            loaded = entries.findFirst().orElseThrow();
        }
        Path other = loaded.resolveSibling(loaded.getFileName().toString().replace("seed3", "seed4"));
        Files.move(loaded, other);
        Path marker = other.resolve("loaded.json");
        Files.writeString(marker, Files.readString(marker).replace("\"seed\":3", "\"seed\":4"));

        Experiments.Output output = Experiments.runThatFails(parse(4, "nb-gclock3"));

        JsonNode run = output.runs().get(0);
        assertThat(run.get("wrongRows").longValue())
                .isGreaterThan(run.get("selects").longValue());
        assertThat(run.get("valid").booleanValue()).isFalse();
        assertThat(output.err()).contains("row 1 has a content that is not its own");
        assertThat(output.out()).contains("Not every run ended with right rows, see above.");
        assertThat(directory.resolve("out/derby-select-nb-gclock3-2-terminals-pool-of-30-repeat-1.log"))
                .exists();
    }
}
