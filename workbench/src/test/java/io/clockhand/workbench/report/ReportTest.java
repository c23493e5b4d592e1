// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportTest {
    @Test
    void spreadOfEvenlyManyTakesTheMiddleOfTheTwo() {
        assertThat(Spread.of(List.of(4.0, 1.0, 3.0, 2.0))).isEqualTo(new Spread(1, 2.5, 4));
        assertThat(Spread.of(List.of(5.0))).isEqualTo(new Spread(5, 5, 5));
        assertThat(Spread.of(List.of())).isNull();
    }

    @Test
    void csvQuotesWhatNeedsIt() {
        Csv csv = new Csv(List.of("a", "b"));
        csv.add(Arrays.asList("x,\"y\"", null));

        assertThat(csv).hasToString("a,b\r\n\"x,\"\"y\"\"\",\r\n");
    }

    @Test
    void tableAlignsFiguresToTheRight() {
        TextTable table = new TextTable(List.of("cache", "tpmC"));
        table.add(List.of("a", "1,000"));

        assertThat(table.toString().lines()).containsExactly("cache   tpmC", "a      1,000");
    }

    @Test
    void filesAppearWholeAndReplaceOlderOnes(@TempDir Path directory) throws IOException {
        Files.writeString(directory.resolve("a.json"), "old");

        new ResultFiles(directory).add("a.json", "new").add("b.csv", "x").write();

        assertThat(directory.resolve("a.json")).hasContent("new");
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files.map(file -> file.getFileName().toString())).containsExactlyInAnyOrder("a.json", "b.csv");
        }
    }
}
