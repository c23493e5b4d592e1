// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.lucene.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.clockhand.workbench.environment.CommandFailure;
import io.clockhand.workbench.experiment.options.Usage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** The whole command, with child JVMs and a tiny index. */
class LuceneRunsTest {
    private static final Pattern CHARTED = Pattern.compile("\"y\" : \"([^\"]+)\"");
    private static final String ALL = "mmap,mmap-random,nio,caffeine,caffeine-direct,clockhand,clockhand-direct";

    @TempDir
    private Path directory;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private boolean isGood(String line) {
        Settings settings = new Settings();
        CommandSpec spec =
                CommandSpec.create().name("lucene").addMixin("settings", CommandSpec.forAnnotatedObject(settings));
        new CommandLine(spec)
                .parseArgs(
                        (line + " --documents 400 --searches 50 --heap 128 --seconds 1 --warmup 0 --slice 0.1 --data "
                                        + directory.resolve("data") + " --out " + directory.resolve("out"))
                                .split(" +", -1));
        settings.check(new Usage(spec));
        return new LuceneRuns(
                        settings,
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8))
                .run();
    }

    private JsonNode run(String line) throws IOException {
        assertThat(isGood(line)).as(err.toString(StandardCharsets.UTF_8)).isTrue();
        return new ObjectMapper().readTree(directory.resolve("out/lucene.json").toFile());
    }

    private static List<String> of(JsonNode runs, String field) {
        List<String> values = new ArrayList<>();
        runs.forEach(run -> values.add(run.get(field).asText()));
        return values;
    }

    @Test
    void contendersFindTheSameAndAreCompared() throws IOException {
        JsonNode json = run("--contenders mmap,clockhand --work vectors");

        JsonNode runs = json.get("runs");
        assertThat(of(runs, "directory")).containsExactly("mmap", "clockhand");
        for (JsonNode run : runs) {
            assertThat(run.get("work").textValue()).isEqualTo("vectors");
            assertThat(run.get("threads").intValue()).isOne();
            assertThat(run.get("memoryPercent").doubleValue()).isEqualTo(100);
            assertThat(run.get("searchesPerSecond").isNumber()).isTrue();
            assertThat(run.get("latencyMicros").has("p99")).isTrue();
            assertThat(run.get("mergedMegabytes").isNull()).isTrue();
            assertThat(run.get("memoryMegabytes").isNull()).isTrue();
            assertThat(run.get("wrongResults").longValue()).isZero();
            assertThat(run.get("valid").booleanValue()).isTrue();
        }
        assertThat(json.get("indexBytes").longValue()).isPositive();
        assertThat(json.get("summary").get(1).get("ratio").has("value")).isTrue();
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("All contenders found the same.");
        for (String figure : charted()) {
            assertThat(runs.get(0).at("/" + figure.replace('.', '/')).isNumber())
                    .as("%s, which a chart shows, is a figure of a run", figure)
                    .isTrue();
        }
        try (Stream<Path> left = Files.list(directory.resolve("out"))) {
            assertThat(left.map(path -> path.getFileName().toString()))
                    .containsExactlyInAnyOrder("lucene.json", "lucene.csv", "lucene.html");
        }
    }

    /** {@return the figures that the charts of the page show, but for the ratios} */
    private List<String> charted() throws IOException {
        String page = Files.readString(directory.resolve("out/lucene.html"));
        List<String> figures = new ArrayList<>();
        Matcher matcher = CHARTED.matcher(page);
        while (matcher.find()) {
            figures.add(matcher.group(1));
        }
        assertThat(figures).hasSize(3).contains("ratio");
        figures.remove("ratio");
        return figures;
    }

    @Tag("ci")
    @Test
    void allContendersFindTheSameInAllWork() throws IOException {
        JsonNode runs =
                run("--contenders " + ALL + " --work sorts,merge --threads 2").get("runs");

        assertThat(of(runs, "valid")).hasSize(14).containsOnly("true");
    }

    @Tag("ci")
    @Test
    void limitedMemoryNeedsMemoryGroupsUnlessNobodyUsesThePageCache() throws IOException {
        String limited = "--memory-percent 50 --work merge --contenders ";
        boolean groups = MemoryGroups.find().map(LuceneRunsTest::close).orElse(false);
        if (groups) {
            for (JsonNode run : run(limited + "mmap,caffeine,clockhand-direct").get("runs")) {
                assertThat(run.get("memoryMegabytes").doubleValue()).isPositive();
                assertThat(run.get("mergedMegabytes").isNumber()).isTrue();
            }
        } else {
            assertThatThrownBy(() -> isGood(limited + "mmap,clockhand"))
                    .isInstanceOf(CommandFailure.class)
                    .hasMessageContaining("--memory-percent cannot limit the page cache");
            assertThat(run(limited + "caffeine-direct,clockhand-direct")
                            .get("memoryGroups")
                            .booleanValue())
                    .isFalse();
        }
    }

    private static boolean close(MemoryGroups groups) {
        groups.close();
        return true;
    }
}
