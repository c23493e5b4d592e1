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
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole command on a small trace, with child JVMs. */
class ReplayRunsTest {
    @TempDir
    private Path directory;

    private Path trace;

    /** A loop over 12 pages, ten times, every third reference a write: with fewer than 12 frames LRU has no hit. */
    @BeforeEach
    void writeTrace() throws IOException {
        String lines = IntStream.range(0, 120)
                .mapToObj(n -> 1_000_000_000_000L + 7L * (n % 12) + (n % 3 == 0 ? " w" : "") + "\n")
                .collect(Collectors.joining());
        trace = Files.writeString(directory.resolve("loop.trace"), lines);
    }

    private ReplayCommand parse(String options) {
        return ReplayReportTest.parse(
                "--workload trace:" + trace + " --out " + directory.resolve("out") + " " + options);
    }

    @Test
    void wholeTraceIsCountedWithAShareInsteadOfItsMarks() throws IOException {
        countWholeTrace("cached", 1);
    }

    @Tag("nightly")
    @Test
    void wholeTraceIsCountedWithPagesFromEverywhere() throws IOException {
        countWholeTrace("cached,direct,memory", Io.values().length);
    }

    /** With the pool's estimates of each. */
    private void countWholeTrace(String ios, int count) throws IOException {
        Experiments.Output output =
                Experiments.run(parse("--policies lru --frames 12 --threads 1 --write-share 100 --spread 3"
                        + " --advise --advise-policies fifo --io " + ios));

        assertThat(output.runs()).hasSize(count);
        for (JsonNode run : output.runs()) {
            assertFields(run, "accesses=120 hits=108 misses=12 reads=12 updates=120 lostChanges=0");
        }
        JsonNode estimates = output.runs().get(0).get("estimates");
        assertThat(estimates).hasSize(10);
        assertFields(estimates.get(1), "hitRatio=0.0");
        assertFields(estimates.get(3), "hitRatio=0.9 frames=24");
        assertFields(estimates.get(8), "policy=fifo");
        assertThat(output.err()).contains("120 references to 12 pages");
        assertThat(output.out())
                .contains("Every page fixed was the right one.", "Estimated hit ratios by size, %")
                .containsPattern("policy +in the cache +frames +counted +× 0.25 +× 0.5 +× 1 +× 2 +× 4")
                .containsPattern("lru +lru.* 12 +90.00 +0.00 +0.00 +90.00 +90.00 +90.00");
        assertThat(directory.resolve("out/replay.html"))
                .content(StandardCharsets.UTF_8)
                .contains("Estimated hit ratio by size");
    }

    @Test
    void contendersOfADuelReadOneFileAndHaveThroughputLatenciesAndHits() throws IOException {
        Experiments.Output output =
                Experiments.run(parse("--policies lru,nb-gclock --frames 12 --threads 1 --write-share 0"
                        + " --io cached --seconds 1 --warmup 0"));

        assertThat(output.runs()).hasSize(2);
        assertThat(output.err()).doesNotContain("not in turn");
        for (JsonNode run : output.runs()) {
            assertNumbers(run, "operationsPerSecond", "hits");
            assertFields(run, "updates=null writes=null");
            assertThat(run.get("latencyMicros").has("p99")).isTrue();
        }
    }

    @Test
    void contenderWritesToAFileOfItsOwnThatIsDeleted() throws IOException {
        write("lru", 1);
    }

    @Tag("ci")
    @Test
    void everyOneOfSeveralContendersWritesToAFileOfItsOwn() throws IOException {
        assertThat(write("lru,nb-gclock", 2).err()).contains("run one after the other, not in turn");
    }

    private Experiments.Output write(String policies, int count) throws IOException {
        // of a slow run few references are counted
        Experiments.Output output = Experiments.run(parse("--policies " + policies + " --threads 2 --io cached"
                + " --frames 11 --rate 200 --device-writes 2000 --log wait:1ms --seconds 1 --warmup 0"));

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
    void traceThatCannotBeReadEndsTheCommandBeforeAnyRun() throws IOException {
        Files.writeString(trace, "1\n2\nthree\n");

        assertThatThrownBy(() -> Experiments.run(parse("--frames 11")))
                .hasMessage(trace + ", line 3: 'three' is not a page number");
    }

    @Test
    void deviceForATraceOfReadsIsRefused() throws IOException {
        Files.writeString(trace, "1\n2\n");

        assertThatThrownBy(() -> Experiments.run(parse("--device-writes 500")))
                .hasMessageContaining("no reference of the traces is marked as one");
    }
}
