// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.workbench.environment.CommandFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExpectedHitsTest {
    private static final String HEAD = "trace,capacity,policy,hits,requests,hit_percent,tolerance_points\n";

    @TempDir
    private Path directory;

    private Path file(String content) throws IOException {
        return Files.writeString(directory.resolve("expected.csv"), content);
    }

    @ParameterizedTest
    @CsvSource({
        "exact, 500, 1000, true",
        "exact, 501, 1000, false",
        "exact, 500, 1001, false",
        "0.3, 503, 1000, true",
        "0.3, 497, 1000, true",
        "0.3, 496, 1000, false",
        "0.3, 504, 1000, false",
        "0.3, 503, 999, false",
        "0, 500, 1000, true"
    })
    void lineHoldsWithinItsTolerance(String tolerance, long hits, long references, boolean holds) {
        ExpectedHits.Line line = new ExpectedHits.Line("a", 10, "lru", 1, 500, 1_000, tolerance);

        assertThat(line.holds(hits, references)).isEqualTo(holds);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            trace,capacity~                     | line 1: 'trace,capacity' is not a head line with the columns
            H~a,1,LRU,1,2~                      | line 2: 'a,1,LRU,1,2' is not a line with as many columns
            Ha,1,LRU,1,2,50,exact~a,x,LRU,1,2,50,exact~ | line 3: 'a,x,LRU,1,2,50,exact' is not a line with numbers
            Ha,1,LRU,1,2,50,about~              | line 2: 'a,1,LRU,1,2,50,about' is not a line with numbers
            Ha,1,LRU,1,2,50,-1~                 | line 2: 'a,1,LRU,1,2,50,-1' is not a line of numbers that can be
            Ha,1,LRU,1,0,50,1~                  | line 2: 'a,1,LRU,1,0,50,1' is not a line of numbers that can be
            """)
    void lineThatCannotBeReadIsNamedWithItsFile(String content, String expected) throws IOException {
        Path file = file(content.replaceFirst("^H~?", HEAD).replace('~', '\n'));

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
