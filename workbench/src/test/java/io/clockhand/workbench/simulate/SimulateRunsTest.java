// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.simulate;

import static io.clockhand.workbench.experiment.Experiments.assertFields;
import static io.clockhand.workbench.experiment.Experiments.names;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.clockhand.workbench.environment.CommandFailure;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The whole command on small traces. */
class SimulateRunsTest extends CommandRuns {
    private static final int LOOP = 120;

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
        try (GZIPOutputStream packed = new GZIPOutputStream(Files.newOutputStream(trace))) {
            packed.write(lines.toString().getBytes(StandardCharsets.US_ASCII));
        }
    }

    private boolean runLoop(String line) {
        return run(line + " --trace " + trace);
    }

    private Path known(String... lines) throws IOException {
        return Files.writeString(
                directory.resolve("expected.csv"),
                "trace,capacity,policy,hits,requests,hit_percent,tolerance_points\n" + String.join("\n", lines));
    }

    @Test
    void everyCellIsSimulatedAndReported() throws IOException {
        assertThat(runLoop("--policies lru,opt --frames 11,12")).isTrue();

        JsonNode json = json();
        assertThat(names(json)).isEqualTo("command version note environment options traces results checks");
        assertThat(json.get("checks").isNull()).isTrue();
        List<String> cells = new ArrayList<>();
        for (JsonNode result : json.get("results")) {
            assertFields(
                    result, "trace=" + trace + " traceName=loop threads=1 dirtyShare=0.0 references=120 overTime=null");
            assertThat(result.get("hitPercent").doubleValue())
                    .isEqualTo(100.0 * result.get("hits").longValue() / LOOP);
            cells.add(result.get("policy").textValue() + " " + result.get("frames") + " " + result.get("hits"));
        }
        assertThat(cells).containsExactly("lru 11 0", "lru 12 108", "opt 11 99", "opt 12 108");
        assertFields(
                json.get("traces").get(0),
                "traceName=loop format=lirs formatFrom=content pages=12 sampledPages=null references=120");
        assertThat(printed())
                .contains(
                        "loop, hits in percent of 120 references to 12 pages:",
                        "policy     11     12",
                        "lru      0.00  90.00")
                .contains("Written: ");
        assertThat(reported()).contains("120 references to 12 pages; format lirs, by content");
        assertThat(directory.resolve("out")).isDirectoryContaining("glob:**simulate.html");
        assertThat(Files.readAllLines(directory.resolve("out/simulate.csv"))).hasSize(5);
    }

    @Test
    void formatIsThatOfAllTracesOrOfEach() throws IOException {
        Path ints = Files.write(directory.resolve("ints"), new byte[] {0, 0, 0, 7, 0, 0, 0, 7});
        Path csv = Files.writeString(directory.resolve("csv"), "\"id\",lbn\n5,1\n5,2\n");
        String traces = "--trace " + trace + "," + ints + "," + csv;

        JsonNode results = results(traces + " --format lirs,u32be,auto --column id --policies lru --frames 2");

        assertThat(results.findValuesAsText("hits")).containsExactly("0", "1", "1");
        assertThat(json().get("traces").findValuesAsText("formatFrom")).containsExactly("option", "option", "content");
        assertThatThrownBy(() -> parsed(traces + " --format lirs,u32be"))
                .hasMessageContaining("--format has 2 names, but --trace has 3");
    }

    @Test
    void standardInputIsATrace() throws IOException {
        InputStream before = System.in;
        try {
            System.setIn(Files.newInputStream(trace));
            assertFields(results("--trace - --policies lru --frames 12").get(0), "traceName=stdin hits=108");
        } finally {
            System.setIn(before);
        }
    }

    @Test
    void framesCanBeAShareOfThePages() throws IOException {
        runLoop("--policies lru --frames 50%,12,0.1%,99.9%");

        assertThat(json().get("results").findValuesAsText("frames")).containsExactly("6", "12", "1");
        assertFields(json().get("results").get(0), "framesPercent=50.0");
        assertThat(json().get("options").get("frames").toString()).isEqualTo("[\"50%\",\"12\",\"0.1%\",\"99.9%\"]");
        assertThat(printed()).contains("policy  50% = 6     12  0.1% = 1");
        assertThat(Files.readString(directory.resolve("out/simulate.html"))).contains("50% = 6");
    }

    @Test
    void hitRatioOverTimeIsThatOfEqualParts() throws IOException {
        runLoop("--policies lru,opt --frames 12 --over-time 7");

        JsonNode parts = json().get("results").get(0).get("overTime");
        assertThat(parts.findValuesAsText("reference")).containsExactly("17", "34", "51", "68", "85", "102", "120");
        assertThat(names(parts.get(0))).isEqualTo("reference hitPercent");
        assertFields(parts.get(0), "hitPercent=" + 100.0 * 5 / 17);
        assertFields(parts.get(6), "hitPercent=100.0");
    }

    /** Two threads that take turns of 16. */
    @Test
    void threadsAreDealtAsTheyAreInReplay() throws IOException {
        int[] order = new int[LOOP];
        for (int n = 0; n < LOOP; n++) {
            int turn = n / 16; // the last one of each thread is shorter
            int left = Math.min(16, (LOOP - turn / 2 * 32) / 2);
            order[n] = (turn / 2 * 32 + (n % 32) / left + 2 * (n % 32 % left)) % 12;
        }

        JsonNode results = results("--policies lru,2q,opt --frames 11 --threads 1,2 --trace " + trace);

        assertThat(results.findValuesAsText("hits").subList(3, 6))
                .containsExactly(
                        "" + Streams.hits(Streams.pool("lru", 11, 12)::reference, order),
                        "" + Streams.hits(Streams.pool("2q", 11, 12)::reference, order),
                        "" + OptimalPoolTest.hits(11, order));
        assertThat(printed())
                .contains("loop, 2 threads, hits in percent of 120 references", "take turns of 16 references");
    }

    @Test
    void warmUpIsPlayedAndNotCountedAndAShortTraceBeginsAnew() throws IOException {
        String line = "--policies lru --frames 12 --warmup-accesses ";
        runLoop(line + 12);
        assertFields(json().get("results").get(0), "references=108 hits=108 hitPercent=100.0");

        runLoop(line + "12 --accesses 500");
        assertFields(json().get("results").get(0), "hits=500");
        assertThat(reported()).contains("of which it has 120 only");
        assertThatThrownBy(() -> runLoop(line + 120))
                .isInstanceOf(CommandFailure.class)
                .hasMessageContaining("has 120 references only");
    }

    @Test
    void traceThatCannotBeReadLeavesNoResult() throws IOException {
        trace = Files.writeString(directory.resolve("wrong.trace"), "1\n2\nthree\n");

        assertThatThrownBy(() -> runLoop("--policies lru --frames 11"))
                .isInstanceOf(CommandFailure.class)
                .hasMessage(trace + ", line 3: 'three' is not a page number");
        assertThat(directory.resolve("out/simulate.json")).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource({
        "trace:/a/b.c/OLTP.lis.xz, OLTP",
        "trace:2_pools.trace.gz, 2_pools",
        "trace:v1.2.csv, v1.2",
        "trace:plain, plain",
        "trace:.hidden, .hidden",
        "paper80+scan, paper80+scan"
    })
    void nameOfATraceIsThatOfItsFileWithoutEndings(String workload, String name) {
        assertThat(Play.nameOf(workload)).isEqualTo(name);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--frames 0% | --frames must lie in 1 … 67108864, or be a share of the pages over 0% and up to 100%",
                "--frames 101% | --frames must lie in 1",
                "--frames 67108865 | --frames must lie in 1",
                "--frames x | --frames must lie in 1",
                "--dirty-share 101 | percent from 0 to 100, or trace",
                "--dirty-share marks | not 'marks'",
                "--dirty-share 30,30 | --dirty-share names a share twice",
                "--dirty-share trace --trace tpcc:1 | needs a FILE",
                "--write-time -1 | --write-time must lie in 0 … 1000000, not -1",
                "--writes-in-flight 0 | --writes-in-flight must lie in 1 … 999999, or be adaptive, not '0'",
                "--curve --frames 10 | --curve has its own sizes",
                "--sample-pages 5000 --check x.csv | --check and --dirty-share need every reference",
                "--sample-pages 5 | must be 0, or at least 1000"
            })
    void wrongValuesAreRefused(String line, String sentence) {
        assertThatThrownBy(() -> parsed(line)).hasMessageContaining(sentence);
    }

    // --- pages that become dirty -------------------------------------------------------------------------------------

    @Test
    void eachDirtyShareIsSimulatedAndReported() throws IOException {
        String line = "--policies lru,2q,opt --frames 50 --threads 1,3 --trace " + trace(Streams.mixed(5, 300, 20_000));
        List<String> clean = results(line).findValuesAsText("hits");
        JsonNode both = results(line + " --dirty-share 0,40");

        assertThat(both).hasSize(12);
        List<String> hits = both.findValuesAsText("hits");
        assertThat(hits.subList(0, 3)).as("without dirt").isEqualTo(clean.subList(0, 3));
        assertThat(hits.subList(6, 9)).isEqualTo(clean.subList(3, 6));
        for (int i : new int[] {3, 4}) {
            assertFields(both.get(i), "dirtyShare=0.4");
            assertThat(both.get(i).get("writes").longValue()).isBetween(1_000L, 8_000L);
        }
        assertFields(both.get(5), "policy=opt hits=" + clean.get(2) + " writes=null readStalls=null");
        assertThat(printed()).contains("mixed, dirty share 40, hits in percent of 20,000 references to 300 pages:");

        JsonNode again = results(line + " --dirty-share 0,40");
        assertThat(again.findValuesAsText("writes")).isEqualTo(both.findValuesAsText("writes"));
        JsonNode other = results(line + " --dirty-share 0,40 --seed 2");
        assertThat(other.findValuesAsText("writes")).isNotEqualTo(both.findValuesAsText("writes"));
        JsonNode slow = results(line + " --dirty-share 60 --write-time 40 --writes-in-flight 1");
        assertThat(slow.get(0).get("readStalls").longValue()).isPositive();
    }

    /** The first page is the only one that is written, and is passed three times before it is written. */
    @Test
    void marksOfATraceMakePagesDirtyIfTheyAreAskedFor() throws IOException {
        Path marked = Files.writeString(directory.resolve("marked"), "7 w\n1\n2\n3\n7\n4\n7\n");
        String line = "--policies lru --frames 3 --write-time 9 --trace ";

        assertFields(
                results(line + marked + " --dirty-share trace").get(0),
                "dirtyShare=" + 1 / 7.0 + " hits=2 writes=1 readStalls=0");
        assertFields(results(line + marked).get(0), "dirtyShare=0.0 hits=1 writes=0");
        assertThatThrownBy(() -> run(line + trace + " --dirty-share trace"))
                .isInstanceOf(CommandFailure.class)
                .hasMessageContaining("marks no reference as a write");
    }

    // --- checks ------------------------------------------------------------------------------------------------------

    /** The names have a comma, so that the files of figures must quote them. */
    @Test
    void policiesWithParametersAreSimulatedWrittenAndChecked() throws IOException {
        String policies = "--policies 2q,2q(in=0.25,out=0.5),2q(out=0.1,in=0.9) --frames 11";

        assertThat(runLoop(policies)).isTrue();

        JsonNode results = json().get("results");
        List<String> hits = results.findValuesAsText("hits");
        assertThat(results.findValuesAsText("policy"))
                .containsExactly("2q", "2q(in=0.25,out=0.5)", "2q(in=0.9,out=0.1)");
        assertThat(hits.get(1)).isNotEqualTo("0").isEqualTo(hits.get(0)).isNotEqualTo(hits.get(2));

        Path right = Files.copy(directory.resolve("out/simulate.csv"), directory.resolve("right.csv"));
        assertThat(runLoop(policies + " --check " + right)).isTrue();
        Path wrong = known("loop,11,\"2q(in=0.25,out=0.5)\",1,120,0,exact");
        assertThat(runLoop(policies + " --check " + wrong)).isFalse();
    }

    @Test
    void resultsOfAnEarlierRunCanBeCheckedAgainst() throws IOException {
        runLoop("--policies lru,opt --frames 11,12 --threads 1,2");
        Path earlier = Files.move(directory.resolve("out/simulate.csv"), directory.resolve("earlier.csv"));

        assertThat(runLoop("--threads 1,2 --check " + earlier)).as(printed()).isTrue();
        assertThat(printed()).contains("8 of 8 lines of " + earlier + " hold.");

        Files.writeString(earlier, "\ufeff" + Files.readString(earlier).replace(",108,", ",107,"));
        assertThat(runLoop("--check " + earlier)).isFalse();
        assertThat(printed())
                .contains(
                        "2 of 4 lines of ",
                        "108 hits of 120 references, expected 107 of 120 (+0.833 points; tolerance exact)");
    }

    @Test
    void checkThatHoldsTakesItsPoliciesAndFramesFromTheFile() throws IOException {
        Path check = known(
                "loop,11,LRU,0,120,0.00,exact",
                "loop,12,LRU,107,120,89.17,1.0",
                "loop,11,OPT,99,120,81.67,exact",
                "loop,11,Caffeine,9,120,7.50,info",
                "loop,12,OPT,5,120,4.17,info",
                "other,99,FIFO,9,120,7.50,exact");

        assertThat(runLoop("--check " + check)).as(printed()).isTrue();

        assertThat(json().get("results")).hasSize(4);
        assertThat(json().get("options").get("frames")).hasSize(2);
        assertThat(json().get("checks")).hasSize(4);
        assertThat(printed())
                .contains("3 of 3 lines of ")
                .contains("opt: 108 hits of 120 references, expected 5 of 120 (+85.833 points; tolerance info)")
                .contains("Not simulated, because the workbench has no such policy: caffeine.");
    }

    @Test
    void everyLineThatDoesNotHoldIsShown() throws IOException {
        Path check = known(
                "loop,11,LRU,1,120,0.83,exact",
                "loop,12,LRU,105,120,87.50,2.4",
                "loop,11,OPT,99,119,81.67,exact",
                "loop,12,OPT,108,120,90.00,exact");

        assertThat(runLoop("--check " + check)).isFalse();

        assertThat(printed())
                .contains("lru: 0 hits of 120 references, expected 1 of 120 (-0.833 points; tolerance exact)")
                .contains("108 hits of 120 references, expected 105 of 120 (+2.500 points; tolerance 2.4)")
                .contains("opt: 99 hits of 120 references, expected 99 of 119 (+0.000 points; tolerance exact)")
                .contains("1 of 4 lines of ", "hold; 3 do not, see above.");
        assertFields(json().get("checks").get(0), "policy=lru frames=11 expectedHits=1 hits=0 holds=false");
    }

    @Test
    void checkThatComparesNothingDoesNotHold() throws IOException {
        Path others = known("other,11,LRU,1,120,0.83,exact");
        assertThat(runLoop("--check " + others)).isFalse();
        assertThat(reported()).contains("has no line for loop, so it is left out");

        Path judged = known("loop,11,LRU,0,120,0.00,exact", "loop,12,LRU,108,120,90.00,info");
        Map.of("", true, "--frames 12", false, "--frames 10", false, "--threads 2", false, "--threads 2,1", true)
                .forEach((option, holds) -> assertThat(runLoop(option + " --policies lru --check " + judged))
                        .as(option)
                        .isEqualTo(holds));
        assertThat(printed()).contains("Nothing was checked: no line of ");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            trace,capacity~                     | line 1: 'trace,capacity' is not a head line with the columns
            H~a,1,LRU,1,2~                      | line 2: 'a,1,LRU,1,2' is not a line with as many columns
            Ha,1,LRU,1,2,50,exact~a,x,LRU,1,2,50,exact~ | line 3: 'a,x,LRU,1,2,50,exact' is not a line with numbers
            Ha,1,LRU,1,2,50,about~              | line 2: 'a,1,LRU,1,2,50,about' is not a line with numbers
            Ha,1,LRU,1,2,50,-1~                 | line 2: 'a,1,LRU,1,2,50,-1' is not a line with numbers that can be
            Ha,1,LRU,1,0,50,1~                  | line 2: 'a,1,LRU,1,0,50,1' is not a line with numbers that can be
            """)
    void lineThatCannotBeReadIsNamedWithItsFile(String content, String expected) throws IOException {
        Path file = known();
        Files.writeString(
                file, content.replaceFirst("^H~?", Files.readString(file)).replace('~', '\n'));

        assertThatThrownBy(() -> ExpectedHits.read(file))
                .isInstanceOf(CommandFailure.class)
                .hasMessageStartingWith(file + ", " + expected);
    }

    @Test
    void missingFileIsAnError() {
        assertThatThrownBy(() -> ExpectedHits.read(directory.resolve("none")))
                .hasMessageStartingWith("there is no file ");
    }
}
