// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.lucene.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.workbench.Main;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class SettingsTest {
    private final StringWriter err = new StringWriter();
    private final StringWriter out = new StringWriter();

    private int run(String... arguments) {
        CommandLine command = Main.commandLine(new LuceneCommand());
        command.setErr(new PrintWriter(err, true));
        command.setOut(new PrintWriter(out, true));
        return command.execute(arguments);
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
            lucene --baseline lucene          | unknown baseline 'lucene'
            lucene --seconds 0                | --seconds must be at least 1
            lucene --document 5               | did you mean --documents
            """)
    void wrongUsageIsExplainedInOneSentence(String arguments, String expected) {
        assertThat(run(arguments.split(" +", -1))).isEqualTo(2);
        assertThat(err.toString()).contains(expected);
        assertThat(err.toString().strip().lines()).hasSize(1);
    }

    @Test
    void helpNamesContendersAndSaysThatCaffeineIsAStandIn() {
        assertThat(run("lucene", "--help")).isZero();
        assertThat(out.toString()).contains("clockhand-direct", "stand-in");
    }
}
