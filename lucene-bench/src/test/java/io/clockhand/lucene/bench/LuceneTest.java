// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.lucene.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.clockhand.workbench.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.LongBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.search.Query;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.MMapDirectory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** The command line, and the whole command with child JVMs and a tiny index. */
class LuceneTest {
    private static final Pattern CHARTED = Pattern.compile("\"y\" : \"([^\"]+)\"");
    private static final String ALL = "mmap,mmap-random,nio,caffeine,caffeine-direct,clockhand,clockhand-direct";

    @TempDir
    private Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    /** {@return the exit code} */
    private int execute(String line) {
        CommandLine command = Main.commandLine(new Lucene());
        command.setErr(new PrintWriter(err, true));
        command.setOut(new PrintWriter(out, true));
        return command.execute(line.split(" +", -1));
    }

    private int play(String options) {
        return execute("lucene --documents 400 --searches 50 --heap 128 --seconds 1 --warmup 0 --slice 0.1 --data "
                + directory.resolve("data") + " --out " + directory.resolve("out") + " " + options);
    }

    private JsonNode json(String options) throws IOException {
        assertThat(play(options)).isZero();
        return new ObjectMapper().readTree(directory.resolve("out/lucene.json").toFile());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            lucene --contenders mmapp,nio     | did you mean mmap? Possible: mmap, mmap-random, nio
            lucene --contenders clockhand     | --contenders must name two or more
            lucene --work term                | did you mean terms? Possible: terms, sorts, vectors, merge
            lucene --work terms,terms         | --work names a work twice
            lucene --threads 0                | --threads must lie in 1 …
            lucene --memory-percent 0         | --memory-percent must lie in 0.1 … 100
            lucene --memory-percent 101       | --memory-percent must lie in 0.1 … 100
            lucene --memory-percent 20,20.0   | --memory-percent names a share twice
            lucene --documents 99             | --documents must lie in 100 …
            lucene --segments 0               | --segments must lie in 1 … 100
            lucene --searches 0               | --searches must lie in 1 …
            lucene --heap 1                   | --heap must lie in 128 …
            lucene --page-bytes 2048          | --page-bytes must lie in 4096 …
            lucene --page-bytes 5000          | --page-bytes must be a power of two
            lucene --page-bytes 131072        | --page-bytes must lie in 4096 … 65536
            lucene --baseline lucene          | unknown baseline 'lucene'
            lucene --seconds 0                | --seconds must be at least 1
            lucene --document 5               | did you mean --documents
            """)
    void wrongUsageIsExplainedInOneSentence(String line, String expected) {
        assertThat(execute(line)).isEqualTo(2);
        assertThat(err.toString()).contains(expected);
        assertThat(err.toString().strip().lines()).hasSize(1);
    }

    @Test
    void helpNamesContendersAndSaysThatCaffeineIsAStandIn() {
        assertThat(execute("lucene --help")).isZero();
        assertThat(out.toString()).contains("clockhand-direct", "stand-in");
    }

    @Test
    void contendersFindTheSameAndAreCompared() throws IOException {
        JsonNode json = json("--contenders mmap,clockhand --work vectors");

        JsonNode runs = json.get("runs");
        assertThat(runs.findValuesAsText("directory")).containsExactly("mmap", "clockhand");
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
        JsonNode summary = json.get("summary").get(1);
        assertThat(summary.get("ratio").has("value")).isTrue();
        assertThat(summary.get("p99Micros").has("median")).isTrue();
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
        List<String> figures = CHARTED.matcher(Files.readString(directory.resolve("out/lucene.html")))
                .results()
                .map(found -> found.group(1))
                .toList();
        assertThat(figures).hasSize(3).contains("ratio");
        return figures.stream().filter(figure -> !figure.equals("ratio")).toList();
    }

    @Test
    void searchThatFindsSomethingElseIsWrong() throws IOException {
        SearchIndex.make(directory, 100, 1, part -> {});
        try (Directory index = new MMapDirectory(directory);
                DirectoryReader reader = DirectoryReader.open(index)) {
            Query[] queries = Searches.list(Work.TERMS, 1, 1);
            LongBuffer expected = LongBuffer.wrap(new long[] {-1});
            Player player = new Player(Searches.uncached(reader), Work.TERMS, queries, expected, 1);
            player.rehearse();

            assertThat(player.wrong()).isPositive();
            assertThat(player.firstWrong()).startsWith("search 0 (body:w");
        }
    }

    /** A contender of the benchmark that sets up. */
    static final class SetUp {
        public static void main(String[] arguments) throws IOException {
            SearchIndex.of(2000);
        }
    }

    @Test
    void contendersOfTheBenchmarkThatSetUpAtOnceMakeOneIndex() throws Exception {
        ProcessBuilder java = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Djava.io.tmpdir=" + directory,
                        "-cp",
                        System.getProperty("java.class.path"),
                        SetUp.class.getName())
                .inheritIO();
        Process first = java.start();
        Process second = java.start();

        assertThat(List.of(first.waitFor(), second.waitFor())).containsOnly(0);
        assertThat(directory.resolve("clockhand-lucene-2000/complete")).exists();
    }

    @Tag("ci")
    @Test
    void allContendersFindTheSameInAllWork() throws IOException {
        JsonNode runs =
                json("--contenders " + ALL + " --work sorts,merge --threads 2").get("runs");

        assertThat(runs.findValuesAsText("valid")).hasSize(14).containsOnly("true");
    }

    @Tag("ci")
    @Test
    void limitedMemoryNeedsMemoryGroupsUnlessNobodyUsesThePageCache() throws IOException {
        String limited = "--memory-percent 50 --work merge --contenders ";
        boolean groups = MemoryGroups.find().map(LuceneTest::close).orElse(false);
        if (groups) {
            for (JsonNode run : json(limited + "mmap,caffeine,clockhand-direct").get("runs")) {
                assertThat(run.get("memoryMegabytes").doubleValue()).isPositive();
                assertThat(run.get("mergedMegabytes").isNumber()).isTrue();
            }
        } else {
            assertThat(play(limited + "mmap,clockhand")).isOne();
            assertThat(err.toString()).contains("--memory-percent cannot limit the page cache");
            assertThat(json(limited + "caffeine-direct,clockhand-direct")
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
