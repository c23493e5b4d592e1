// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.simulate;

import static io.clockhand.workbench.experiment.Experiments.assertFields;
import static io.clockhand.workbench.experiment.Experiments.names;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.clockhand.policy.Policies;
import io.clockhand.workbench.environment.CommandFailure;
import io.clockhand.workbench.experiment.options.ParsedOptions;
import io.clockhand.workbench.simulate.SimulateCommand.SimulateRuns;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole command on small traces. */
class SimulateRunsTest {
    private static final String HEAD = "trace,capacity,policy,hits,requests,hit_percent,tolerance_points\n";
    private static final int LOOP = 120;

    @TempDir
    private Path directory;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private Path trace;

    /**
     * A loop over 12 pages, ten times: with 11 frames LRU has no hit, and the optimum misses one reference in eleven
     * after the first turn.
     */
    @BeforeEach
    void writeTrace() throws IOException {
        StringBuilder lines = new StringBuilder();
        for (int n = 0; n < LOOP; n++) {
            lines.append(1_000_000_000_000L + 7L * (n % 12)).append('\n');
        }
        trace = directory.resolve("loop.trace.gz");
        try (OutputStream packed = new GZIPOutputStream(Files.newOutputStream(trace))) {
            packed.write(lines.toString().getBytes(StandardCharsets.US_ASCII));
        }
    }

    static Settings parsed(String line) {
        return ParsedOptions.parse(new Settings(), Settings::check, line);
    }

    /** Threads take turns of two references. */
    private Settings settings(String line) {
        return parsed("--interleave 2 --out " + directory.resolve("out") + " --trace " + trace + " " + line);
    }

    private boolean run(Settings settings) {
        return new SimulateRuns(
                        settings,
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8))
                .run();
    }

    private Path check(String... lines) throws IOException {
        return Files.writeString(directory.resolve("expected.csv"), HEAD + String.join("\n", lines));
    }

    private JsonNode json() throws IOException {
        return new ObjectMapper()
                .readTree(directory.resolve("out/simulate.json").toFile());
    }

    private String printed() {
        return out.toString(StandardCharsets.UTF_8);
    }

    /** The names have a comma, so that the files of figures must quote them. */
    @Test
    void policiesWithParametersAreSimulatedWrittenAndChecked() throws IOException {
        String policies = "--policies 2q,2q(in=0.25,out=0.5),2q(out=0.1,in=0.9) --frames 11";

        assertThat(run(settings(policies))).isTrue();

        Map<String, Long> hits = new LinkedHashMap<>();
        for (JsonNode result : json().get("results")) {
            hits.put(result.get("policy").textValue(), result.get("hits").longValue());
        }
        assertThat(hits).containsOnlyKeys("2q", "2q(in=0.25,out=0.5)", "2q(in=0.9,out=0.1)");
        assertThat(hits.get("2q(in=0.25,out=0.5)")).isPositive().isEqualTo(hits.get("2q"));
        assertThat(hits.get("2q(in=0.9,out=0.1)")).isNotEqualTo(hits.get("2q"));

        Path right = Files.copy(directory.resolve("out/simulate.csv"), directory.resolve("right.csv"));
        assertThat(run(settings(policies + " --check " + right))).isTrue();
        Path wrong = check("loop,11,\"2q(in=0.25,out=0.5)\"," + (hits.get("2q") + 1) + ",120,0,exact");
        assertThat(run(settings(policies + " --check " + wrong))).isFalse();
    }

    @Test
    void everyCellIsSimulatedAndReported() throws IOException {
        assertThat(run(settings("--policies lru,opt --frames 11,12"))).isTrue();

        JsonNode json = json();
        assertThat(names(json)).isEqualTo("command version note environment options traces results checks");
        assertThat(json.get("checks").isNull()).isTrue();
        List<String> cells = new ArrayList<>();
        for (JsonNode result : json.get("results")) {
            assertFields(result, "trace=" + trace + " traceName=loop threads=1 dirtyShare=0.0 references=120");
            assertThat(result.get("hitPercent").doubleValue())
                    .isEqualTo(100.0 * result.get("hits").longValue() / LOOP);
            cells.add(result.get("policy").textValue() + " " + result.get("frames") + " " + result.get("hits"));
        }
        assertThat(cells).containsExactly("lru 11 0", "lru 12 108", "opt 11 99", "opt 12 108");
        assertThat(json.get("options").get("policies").get(1).textValue()).isEqualTo("opt");
        assertThat(json.get("traces").toString())
                .isEqualTo("[{\"trace\":\"" + trace + "\",\"traceName\":\"loop\",\"format\":\"lirs\","
                        + "\"formatFrom\":\"content\",\"pages\":12,\"sampledPages\":null,\"references\":120}]");
        assertThat(printed())
                .contains(
                        "loop, hits in percent of 120 references to 12 pages:",
                        "policy     11     12",
                        "lru      0.00  90.00")
                .contains("Written: ");
        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains("120 references to 12 pages; format lirs, after its first lines");
        try (Stream<Path> left = Files.list(directory.resolve("out"))) {
            assertThat(left.map(path -> path.getFileName().toString()))
                    .containsExactlyInAnyOrder("simulate.json", "simulate.csv", "simulate.html");
        }
        assertThat(Files.readAllLines(directory.resolve("out/simulate.csv")))
                .hasSize(5)
                .first()
                .asString()
                .startsWith("trace,traceName,pages,policy,frames,threads,dirtyShare,");
        assertThat(Files.readString(directory.resolve("out/simulate.html"))).doesNotContain("/*data*/", "src=\"http");
    }

    @Test
    void formatIsThatOfAllTracesOrOfEach() throws IOException {
        Path ints = Files.write(directory.resolve("ints"), new byte[] {0, 0, 0, 7, 0, 0, 0, 7});
        Path csv = Files.writeString(directory.resolve("csv"), "\"id\",lbn\n5,1\n5,2\n");

        assertThat(run(parsed("--trace " + trace + "," + ints + "," + csv + " --format lirs,u32be,auto --column id"
                        + " --policies lru --frames 2 --out " + directory.resolve("out"))))
                .isTrue();

        assertThat(json().get("results").findValuesAsText("hits")).containsExactly("0", "1", "1");
        assertThat(json().get("traces").findValuesAsText("formatFrom")).containsExactly("option", "option", "content");
        assertThatThrownBy(() -> parsed("--trace " + trace + "," + ints + "," + csv + " --format lirs,u32be"))
                .hasMessageContaining("--format has 2 names, but --trace has 3");
    }

    @Test
    void standardInputIsATrace() throws IOException {
        InputStream before = System.in;
        try {
            System.setIn(Files.newInputStream(trace));
            assertThat(run(parsed("--trace - --policies lru --frames 12 --out " + directory.resolve("out"))))
                    .isTrue();
        } finally {
            System.setIn(before);
        }
        assertFields(json().get("results").get(0), "traceName=stdin hits=108");
    }

    @Test
    void framesCanBeAShareOfThePages() throws IOException {
        run(settings("--policies lru --frames 50%,12,0.1%,99.9%"));

        assertThat(json().get("results").findValuesAsText("frames")).containsExactly("6", "12", "1");
        assertThat(json().get("results").get(0).get("framesPercent").doubleValue())
                .isEqualTo(50);
        assertThat(json().get("options").get("frames").toString()).isEqualTo("[\"50%\",\"12\",\"0.1%\",\"99.9%\"]");
        assertThat(printed()).contains("policy  50% = 6  99.9% = 12  0.1% = 1");
        assertThat(Files.readString(directory.resolve("out/simulate.html"))).contains("50% = 6");
        for (String wrong : List.of("0", "0%", "101%", "x", "67108865")) {
            assertThatThrownBy(() -> settings("--frames " + wrong))
                    .hasMessageContaining("must lie in 1 … 67108864, or");
        }
    }

    @Test
    void hitRatioOverTimeIsThatOfEqualParts() throws IOException {
        run(settings("--policies lru,opt --frames 12 --over-time 7"));

        JsonNode result = json().get("results").get(0);
        assertThat(result.get("cpuSeconds").doubleValue()).isNotNegative();
        assertThat(result.get("overTime").findValuesAsText("reference"))
                .containsExactly("17", "34", "51", "68", "85", "102", "120");
        assertThat(result.get("overTime").get(0).get("hitPercent").doubleValue())
                .isEqualTo(100.0 * 5 / 17);
        assertThat(result.get("overTime").get(6).get("hitPercent").doubleValue())
                .isEqualTo(100);
        run(settings("--policies lru --frames 12"));
        assertThat(json().get("results").get(0).get("overTime").isNull()).isTrue();
    }

    @Test
    void resultsOfAnEarlierRunCanBeCheckedAgainst() throws IOException {
        run(settings("--policies lru,opt --frames 11,12 --threads 1,2"));
        Path earlier = Files.move(directory.resolve("out/simulate.csv"), directory.resolve("earlier.csv"));

        assertThat(run(settings("--threads 1,2 --check " + earlier)))
                .as(printed())
                .isTrue();
        assertThat(printed()).contains("8 of 8 lines of " + earlier + " hold.");

        Files.writeString(earlier, "\ufeff" + Files.readString(earlier).replace(",108,", ",107,"));
        assertThat(run(settings("--check " + earlier))).isFalse();
        assertThat(printed()).contains("2 of 4 lines of ", "108 hits, expected 107 (+0.833 points; must be exact)");
    }

    /** Two threads that take turns of two: 0 2, 1 3, 4 6, 5 7, … */
    @Test
    void threadsAreDealtAsTheyAreInReplay() throws IOException {
        int[] order = new int[LOOP];
        for (int n = 0; n < LOOP; n++) {
            order[n] = (n / 4 * 4 + new int[] {0, 2, 1, 3}[n % 4]) % 12;
        }
        int lru = Streams.hits(new PolicyPool(Policies.create("lru", 11), 11, 12, Streams.SPEED), order);
        int twoQ = Streams.hits(new PolicyPool(Policies.create("2q", 11), 11, 12, Streams.SPEED), order);

        run(settings("--policies lru,2q,opt --frames 11 --threads 1,2"));

        List<Long> hits = new ArrayList<>();
        for (JsonNode result : json().get("results")) {
            if (result.get("threads").intValue() == 2) {
                hits.add(result.get("hits").longValue());
            }
        }
        assertThat(hits).startsWith((long) lru, (long) twoQ);
        assertThat(hits.get(2)).isEqualTo(Streams.hits(OptimalPoolTest.pool(11, 12, order), order));
        assertThat(printed()).contains("120 references to 12 pages, 2 threads:", "take turns of 2 references");
    }

    @Test
    void warmUpIsPlayedAndNotCounted() throws IOException {
        run(settings("--policies lru --frames 12 --warmup-accesses 12"));

        assertFields(json().get("results").get(0), "references=108 hits=108 hitPercent=100.0");
    }

    @Test
    void traceThatIsShorterThanWhatIsAskedForBeginsAnew() throws IOException {
        run(settings("--policies lru --frames 12 --accesses 500 --warmup-accesses 12"));

        assertThat(json().get("results").get(0).get("hits").longValue()).isEqualTo(500);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("of which it has 120 only");
        Settings nothing = settings("--policies lru --frames 12 --warmup-accesses 120");
        assertThatThrownBy(() -> run(nothing))
                .isInstanceOf(CommandFailure.class)
                .hasMessageContaining("has 120 references only");
    }

    @Test
    void checkThatHoldsTakesItsPoliciesAndFramesFromTheFile() throws IOException {
        Path check = check(
                "loop,11,LRU,0,120,0.00,exact",
                "loop,12,LRU,107,120,89.17,1.0",
                "loop,11,OPT,99,120,81.67,exact",
                "loop,11,Caffeine,9,120,7.50,info",
                "loop,12,OPT,5,120,4.17,info",
                "other,99,FIFO,9,120,7.50,exact");

        assertThat(run(settings("--check " + check))).as(printed()).isTrue();

        assertThat(json().get("results")).hasSize(4);
        assertThat(json().get("options").get("frames")).hasSize(2);
        assertThat(json().get("checks")).hasSize(4);
        assertThat(printed())
                .contains("3 of 3 lines of ")
                .contains("loop, 12 frames, opt: 108 hits, expected 5 (+85.833 points; for information)")
                .contains("Not simulated, because the workbench has no such policy: caffeine.");
    }

    @Test
    void everyLineThatDoesNotHoldIsShown() throws IOException {
        Path check = check(
                "loop,11,LRU,1,120,0.83,exact",
                "loop,12,LRU,105,120,87.50,2.4",
                "loop,11,OPT,99,119,81.67,exact",
                "loop,12,OPT,108,120,90.00,exact");

        assertThat(run(settings("--check " + check))).isFalse();

        assertThat(printed())
                .contains("loop, 11 frames, lru: 0 hits, expected 1 (-0.833 points; must be exact)")
                .contains("loop, 12 frames, lru: 108 hits, expected 105 (+2.500 points; tolerance 2.4)")
                .contains("loop, 11 frames, opt: counted 120 references, the check is about 119")
                .contains("1 of 4 lines of ", "hold; 3 do not, see above.");
        assertThat(json().get("checks").get(0).get("holds").booleanValue()).isFalse();
    }

    @Test
    void checkThatComparesNothingDoesNotHold() throws IOException {
        Path others = check("other,11,LRU,1,120,0.83,exact");
        assertThat(run(settings("--check " + others))).isFalse();
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("has no line for loop, so it is left out");

        Path shown = check("loop,11,LRU,0,120,0.00,info");
        assertThat(run(settings("--check " + shown))).isFalse();

        Path judged = check("loop,11,LRU,0,120,0.00,exact");
        assertThat(run(settings("--threads 2 --check " + judged)))
                .as("of one thread only")
                .isFalse();
        assertThat(run(settings("--policies lru --frames 10 --check " + judged)))
                .isFalse();
        assertThat(run(settings("--policies lru --frames 10,11 --threads 2,1 --check " + judged)))
                .isTrue();
        assertThat(printed()).contains("Nothing was checked: no line of ");
    }

    @Test
    void truncatedOrWrongTraceIsAnErrorAndLeavesNoResult() throws IOException {
        byte[] whole = Files.readAllBytes(trace);
        Files.write(trace, Arrays.copyOf(whole, whole.length - 9));
        assertThatThrownBy(() -> run(settings("--policies lru --frames 11")))
                .isInstanceOf(CommandFailure.class)
                .hasMessageContaining(trace + " is truncated");

        trace = Files.writeString(directory.resolve("wrong.trace"), "1\n2\nthree\n");
        assertThatThrownBy(() -> run(settings("--policies lru --frames 11")))
                .hasMessage(trace + ", line 3: 'three' is not a page number");

        trace = directory.resolve("none.trace");
        assertThatThrownBy(() -> run(settings("--policies lru --frames 11"))).hasMessage("there is no trace " + trace);
        assertThat(directory.resolve("out/simulate.json")).doesNotExist();
    }

    @Test
    void nameOfATraceIsThatOfItsFileWithoutEndings() {
        assertThat(Play.nameOf("trace:/a/b.c/OLTP.lis.xz")).isEqualTo("OLTP");
        assertThat(Play.nameOf("trace:2_pools.trace.gz")).isEqualTo("2_pools");
        assertThat(Play.nameOf("trace:tpcc16.u32be.xz")).isEqualTo("tpcc16");
        assertThat(Play.nameOf("trace:v1.2.csv")).isEqualTo("v1.2");
        assertThat(Play.nameOf("trace:plain")).isEqualTo("plain");
        assertThat(Play.nameOf("trace:.hidden")).isEqualTo(".hidden");
        assertThat(Play.nameOf("paper80+scan")).isEqualTo("paper80+scan");
    }
}
