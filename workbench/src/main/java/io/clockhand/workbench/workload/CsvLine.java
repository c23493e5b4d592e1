// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.workload;

import java.util.Arrays;
import java.util.List;

/** A line of comma-separated values (RFC 4180); a quoted cell may have commas, but no end of line. */
public final class CsvLine {
    /** One that an even number of quotes follows. */
    private static final String COMMA_OUTSIDE_QUOTES = ",(?=([^\"]*\"[^\"]*\")*[^\"]*$)";

    private CsvLine() {}

    /** Its cells, without quotes and space around them; throws if a quote is not closed. */
    public static List<String> cells(String line) {
        if (line.indexOf('"') < 0) {
            return Arrays.stream(line.split(",", -1)).map(String::strip).toList();
        }
        if (line.chars().filter(c -> c == '"').count() % 2 != 0) {
            throw new IllegalArgumentException("a line whose quotes are closed");
        }
        return Arrays.stream(line.split(COMMA_OUTSIDE_QUOTES, -1))
                .map(cell -> cell.strip().replaceFirst("^\"(.*)\"$", "$1").replace("\"\"", "\""))
                .toList();
    }
}
