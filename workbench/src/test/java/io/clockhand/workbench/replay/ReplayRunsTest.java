// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.replay;

import static io.clockhand.workbench.experiment.Experiments.assertFields;
import static io.clockhand.workbench.experiment.Experiments.assertNumbers;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.clockhand.workbench.experiment.Experiments;
import io.clockhand.workbench.replay.driver.Io;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole command on a small trace, with child JVMs. */
class ReplayRunsTest {
    /** A yield takes long beside busy processes, and one for every 16 references would be 100,000 of them. */
    private static final int SELDOM = 100_000;

    @TempDir
    private Path directory;

    private Path trace;

    /** A loop over 12 pages, ten times: LRU has no hit with 11 frames, and has all of them with 12. */
    @BeforeEach
    void writeTrace() throws IOException {
        StringBuilder lines = new StringBuilder();
        for (int n = 0; n < 120; n++) {
            lines.append(1_000_000_000_000L + 7L * (n % 12)).append('\n');
        }
        trace = Files.writeString(directory.resolve("loop.trace"), lines);
    }

    private String place() {
        return " --workload trace:" + trace + " --out " + directory.resolve("out");
    }

    @Test
    void wholeTraceIsCounted() throws IOException {
        countWholeTrace("cached", 1);
    }

    @Tag("nightly")
    @Test
    void wholeTraceIsCountedWithPagesFromEverywhere() throws IOException {
        countWholeTrace("cached,direct,memory", Io.values().length);
    }

    /** With the pool's estimates of each. */
    private void countWholeTrace(String ios, int count) throws IOException {
        Experiments.Output output = Experiments.run(
                ReplayReportTest.parse("--policies lru --threads 1 --frames 11,12 --advise --advise-policies"
                        + " fifo --spread 3 --io " + ios + place()));

        assertThat(output.runs()).hasSize(2 * count);
        for (JsonNode run : output.runs()) {
            assertFields(run, "accesses=120 hits=" + (run.get("frames").intValue() == 12 ? 108 : 0));
            assertThat(run.get("misses")).isEqualTo(run.get("reads"));
        }
        JsonNode estimates = output.runs().get(0).get("estimates");
        assertThat(estimates).hasSize(10);
        assertFields(estimates.get(2), "hitRatio=0.0");
        assertFields(estimates.get(3), "hitRatio=0.9 frames=22");
        assertFields(estimates.get(8), "policy=fifo");
        assertThat(output.err()).contains("120 references to 12 pages");
        assertThat(output.out())
                .contains("Every page fixed was the right one.", "Estimated hit ratios by size, %")
                .containsPattern("policy +in the cache +frames +counted +× 0.25 +× 0.5 +× 1 +× 2 +× 4")
                .containsPattern("lru +lru, .*11 +0.00 +0.00 +0.00 +0.00 +90.00 +90.00")
                .containsPattern("fifo +lru, .*11 +- +0.00 +0.00 +0.00 +90.00 +90.00");
        assertThat(directory.resolve("out/replay.html"))
                .content(StandardCharsets.UTF_8)
                .contains("Estimated hit ratio by size");
    }

    @Test
    void contendersOfADuelReadOneFileAndHaveThroughputLatenciesAndHits() throws IOException {
        Experiments.Output output =
                Experiments.run(ReplayReportTest.parse("--policies lru,nb-gclock --threads 1 --frames 12 --io cached"
                        + " --seconds 1 --warmup 0 --interleave " + SELDOM + place()));

        assertThat(output.runs()).hasSize(2);
        for (JsonNode run : output.runs()) {
            assertNumbers(run, "operationsPerSecond");
            assertThat(run.get("latencyMicros").has("p99")).isTrue();
            assertThat(run.get("hits").longValue() + run.get("misses").longValue())
                    .isEqualTo(run.get("accesses").longValue());
        }
    }

    @Test
    void traceThatCannotBeReadEndsTheCommandBeforeAnyRun() throws IOException {
        Files.writeString(trace, "1\n2\nthree\n");

        assertThatThrownBy(() -> Experiments.run(writing(1, "--policies lru --frames 11")))
                .hasMessage(trace + ", line 3: 'three' is not a page number");
    }

    private ReplayCommand writing(int threads, String options) {
        return ReplayReportTest.parse("--threads " + threads + place() + " " + options);
    }

    @Test
    void contenderWritesToAFileOfItsOwnThatIsDeleted() throws IOException {
        write("lru", "cached", 1);
    }

    @Tag("ci")
    @Test
    void everyOneOfSeveralContendersWritesToAFileOfItsOwn() throws IOException {
        assertThat(write("lru,nb-gclock", "cached,memory", 4).err()).contains("run one after the other, not in turn");
    }

    private Experiments.Output write(String policies, String ios, int count) throws IOException {
        Experiments.Output output = Experiments.run(writing(
                2,
                "--policies " + policies + " --frames 11 --io " + ios + " --write-share 30"
                        + " --device-writes 2000 --log wait:1ms --seconds 1 --warmup 0 --interleave " + SELDOM));

        assertThat(output.runs()).hasSize(count);
        for (JsonNode run : output.runs()) {
            assertNumbers(run, "updates", "writes", "logWaits");
            assertFields(run, "lostChanges=0");
            assertThat(run.get("overTime").isArray()).isTrue();
        }
        assertThat(output.out()).contains("Every change was found in its page");
        return output;
    }

    @Test
    void marksOfATraceAreWritesUnlessAnOptionIgnoresThem() throws IOException {
        int threads = 1; // two would share the four references in any order, and with it the hit
        Files.writeString(trace, "1 w\n2\n1\n3 w\n");

        Experiments.Output marked = Experiments.run(writing(threads, "--policies lru --frames 2"));
        assertFields(marked.runs().get(0), "updates=2");

        Experiments.Output ignored = Experiments.run(writing(threads, "--policies lru --frames 2 --write-share 0"));
        assertFields(ignored.runs().get(0), "updates=null writes=null hits=1");
        assertThatThrownBy(() -> Experiments.run(writing(threads, "--write-share 10")))
                .hasMessageStartingWith("--write-share is given, but trace:" + trace + " marks 2 references as writes");
    }

    @Test
    void deviceForATraceOfReadsIsRefused() {
        assertThatThrownBy(() -> Experiments.run(writing(2, "--device-writes 500")))
                .hasMessageContaining("no reference of the traces is marked as one");
    }
}
