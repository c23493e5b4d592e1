// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.workload;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A line of comma-separated values (RFC 4180); a quoted cell may have commas, but no end of line. */
public final class CsvLine {
    private static final char QUOTE = '"';

    private CsvLine() {}

    /** Its cells, without quotes and space around them; throws if a quote is not closed. */
    public static List<String> cells(String line) {
        if (line.indexOf(QUOTE) < 0) {
            return Arrays.stream(line.split(",", -1)).map(String::strip).toList();
        }
        List<String> cells = new ArrayList<>();
        StringBuilder cell = new StringBuilder();
        boolean isQuoted = false;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            boolean isDoubled = c == QUOTE && isQuoted && i + 1 < line.length() && line.charAt(i + 1) == QUOTE;
            if (isDoubled) {
                cell.append(QUOTE);
                i++;
            } else if (c == QUOTE) {
                isQuoted = !isQuoted;
            } else if (c == ',' && !isQuoted) {
                cells.add(cell.toString().strip());
                cell.setLength(0);
            } else {
                cell.append(c);
            }
        }
        if (isQuoted) {
            throw new IllegalArgumentException("a line whose quotes are closed");
        }
        cells.add(cell.toString().strip());
        return cells;
    }
}
