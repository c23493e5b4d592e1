// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.report;

import java.util.ArrayList;
import java.util.List;

/** Comma-separated values (RFC 4180); a value that was not measured is empty. */
public final class Csv {
    private final StringBuilder text = new StringBuilder();

    public Csv(List<String> header) {
        add(new ArrayList<>(header));
    }

    public void add(List<?> cells) {
        text.append(String.join(",", cells.stream().map(Csv::quoted).toList())).append("\r\n");
    }

    private static String quoted(Object cell) {
        String value = cell == null ? "" : cell.toString();
        return value.matches("(?s).*[\",\\r\\n].*") ? '"' + value.replace("\"", "\"\"") + '"' : value;
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
