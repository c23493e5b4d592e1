// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.tpcc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.clockhand.derby.ClockhandDerby;
import io.clockhand.page.PageIn;
import io.clockhand.policy.ClockHand;
import io.clockhand.policy.ReplacementPolicy;
import io.clockhand.workbench.environment.CommandFailure;
import io.clockhand.workbench.environment.Disk;
import io.clockhand.workbench.experiment.Experiments;
import io.clockhand.workbench.pages.driver.Counting;
import io.clockhand.workbench.replay.driver.Io;
import io.clockhand.workbench.replay.driver.Replay;
import io.clockhand.workbench.replay.driver.Replay.RunAnswer;
import io.clockhand.workbench.workload.Trace;
import io.clockhand.workbench.workload.tpcc.Scale;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The whole command on a tiny database, with child JVMs and both caches. */
class TpccRunsTest {
    private static final Scale TINY = new Scale(1, 2, 30, 200, 3);

    /** Loaded by the first test that needs it. */
    @TempDir
    private static Path loaded;

    @TempDir
    private Path directory;

    private Experiments.Output run(String line) throws IOException {
        return run(line, loaded);
    }

    private Experiments.Output run(String line, Path data) throws IOException {
        return Experiments.run(Experiments.parse(
                new TpccCommand(TINY),
                "--warehouses 1 --terminals 2 --pool-percent 10 --seconds 1 --warmup 0 --seed 3"
                        + " --least-new-orders 20 " + line + " --out " + directory.resolve("out") + " --data " + data));
    }

    @Test
    void bothCachesRunAndKeepTheDataConsistent() throws IOException {
        Experiments.Output output = run("--caches derby,nb-gclock3 --advise");

        assertThat(output.runs("cache")).containsExactly("derby", "nb-gclock3");
        for (JsonNode run : output.runs()) {
            assertThat(run.get("maxResidentPages").intValue()).isBetween(40, 60);
        }
        JsonNode counted = output.json().get("counted");
        for (JsonNode run : counted) {
            assertThat(run.get("hitRatio").doubleValue()).isBetween(0.1, 1.0);
            assertThat(run.get("pageReads").longValue()).isPositive();
            assertThat(run.get("transactions").longValue()).isGreaterThan(20);
        }

        assertThat(counted.get(0).get("estimates")).isEmpty();
        JsonNode estimates = counted.get(1).get("estimates");
        assertThat(estimates).hasSize(10);
        assertThat(estimates.get(2).get("hitRatio").doubleValue())
                .isCloseTo(counted.get(1).get("hitRatio").doubleValue(), within(0.1));
        assertThat(output.out()).contains("Not an audited TPC-C result", "Estimated hit ratios by size, %");
        assertThat(loaded).isDirectoryNotContaining("glob:**/run");
    }

    @Tag("ci")
    @Test
    void selectsReadTheStockOfBothCaches() throws IOException {
        Experiments.Output output = run("--caches derby,nb-gclock3 --work selects");

        assertThat(output.runs()).allMatch(run -> run.get("valid").booleanValue());
        for (JsonNode run : output.json().get("counted")) {
            assertThat(run.get("transactions").longValue()).isPositive();
        }
    }

    @Tag("ci")
    @Test
    void versionInOtherJarsRunsAgainstThatOfTheWorkbench() throws Exception {
        Path core = copy(ReplacementPolicy.class, "core");
        Path adapter = copy(ClockhandDerby.class, "adapter");

        Experiments.Output output =
                run("--caches nb-gclock3@copied,nb-gclock3 --jars copied=" + core + File.pathSeparator + adapter);

        assertThat(output.runs("cache")).containsExactly("nb-gclock3@copied", "nb-gclock3");
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

    /** The trace, played again with as many frames, has about the hits that were counted while it was recorded. */
    @Tag("ci")
    @ParameterizedTest
    @ValueSource(strings = {"nb-gclock3", "derby"})
    void recordedRunCanBePlayedAgain(String cache) throws Exception {
        Path file = directory.resolve("tiny.rw32be");

        Experiments.Output output = run("--caches " + cache + " --record " + file);

        Trace trace = Trace.read(file, null);
        assertThat(trace.length()).isGreaterThan(1_000);
        int frames = output.runs().get(0).get("poolPages").intValue();
        assertThat(trace.pages()).isBetween(frames, 5_000);
        assertThat((double) trace.writes() / trace.length()).isBetween(0.02, 0.6);
        assertThat(directory).isDirectoryNotContaining("glob:**.part");
        double counted = output.json().get("counted").get(0).get("hitRatio").doubleValue();
        assertThat(hitRatio(file, trace, frames)).isCloseTo(counted, within(0.05));
    }

    private static double hitRatio(Path file, Trace trace, int frames) throws Exception {
        Replay order = new Replay(
                new Replay.Pool("nb-gclock3", ClockHand.DEFAULT, PageIn.COALESCED, frames, 4096, null),
                new Replay.Source("trace:" + file, trace.pages(), 1, null),
                new Replay.Pages(Io.MEMORY, null, trace.pages(), 1),
                1,
                16,
                null,
                new Counting(0, trace.length()),
                new Replay.Writing(0, 0, 0, -1));
        RunAnswer answer = order.perform(fraction -> {});
        assertThat(answer.counted().changes()).isEqualTo(trace.writes());
        return (double) answer.counted().hits() / trace.length();
    }

    @ParameterizedTest
    @CsvSource({"'--record FILE/tiny.rw32be', recording", "'', results"})
    void filesThatCannotBeMadeAreRefusedBeforeLoading(String options, String what) throws IOException {
        Path file = Files.writeString(directory.resolve(what.equals("results") ? "out" : "file"), "no directory");
        String line = "--caches derby " + options.replace("FILE", file.toString());

        assertThatThrownBy(() -> run(line, directory.resolve("data")))
                .isInstanceOf(CommandFailure.class)
                .hasMessageContaining(", the directory for the " + what + ": ");
        assertThat(directory.resolve("data")).doesNotExist();
    }
}
