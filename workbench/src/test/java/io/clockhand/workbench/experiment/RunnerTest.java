// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.workbench.experiment.options.TimeOptions;
import io.clockhand.workbench.experiment.options.Usage;
import io.clockhand.workbench.experiment.report.Column;
import io.clockhand.workbench.experiment.report.Report;
import io.clockhand.workbench.experiment.report.Results;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.DoubleConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.Command;

class RunnerTest {
    /** Is never ready for a slice, and never ends. */
    record Hanging() implements Order<NoAnswer> {
        @Override
        public NoAnswer perform(DoubleConsumer progress) throws InterruptedException {
            new CountDownLatch(1).await();
            return new NoAnswer(null, 0, null);
        }
    }

    record NoAnswer(String wrong, long operations, Double operationsPerSecond) implements Answer {}

    /** A duel without any patience. */
    @Command(name = "impatient")
    static final class Impatient extends Experiment<String, String, NoAnswer> {
        Impatient() {
            super(NoAnswer.class, new TimeOptions(0, 0.1), new Outline("", "", "All ended.", "Not all ended."));
        }

        @Override
        protected void check(Usage usage) {
            times().check(usage, contenders());
        }

        @Override
        protected List<String> settings() {
            return List.of("any setting");
        }

        @Override
        protected List<String> contenders() {
            return List.of("one", "other");
        }

        @Override
        protected int counters(String setting) {
            return 1;
        }

        @Override
        protected Duration patience() {
            return Duration.ZERO;
        }

        @Override
        protected List<String> prepare(Workplace workplace) {
            return List.of();
        }

        @Override
        protected Order<NoAnswer> timedOrder(Launch<String, String> launch) {
            return new Hanging();
        }

        @Override
        protected List<Column<Run<String, String, NoAnswer>>> columns(List<Run<String, String, NoAnswer>> runs) {
            return List.of(contender("contender", name -> name), rate("rate"), valid());
        }

        @Override
        protected List<String> notes(List<Run<String, String, NoAnswer>> runs) {
            return List.of();
        }

        @Override
        protected void addTo(Report report, Results<Run<String, String, NoAnswer>> results) {}
    }

    @Test
    void contenderThatHangsIsNamedAndAllAreEnded(@TempDir Path directory) throws IOException {
        Experiments.Output output = Experiments.runThatFails(Experiments.parse(new Impatient(), "--out " + directory));

        assertThat(output.err()).containsPattern("Failed: duel, any setting, repeat 1: (one|other) was not ready");
        assertThat(output.out()).endsWith("Not all ended." + System.lineSeparator());
        assertThat(output.runs("valid")).containsExactly("false", "false");
        assertThat(ProcessHandle.current().children())
                .noneMatch(child -> child.info().commandLine().orElse("").contains(directory.toString()));
    }
}
