// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.report;

import java.util.ArrayList;
import java.util.List;

/** A table for the terminal: the first column to the left, figures to the right. */
public final class TextTable {
    private static final String GAP = "  ";

    private final List<List<String>> rows = new ArrayList<>();

    public TextTable(List<String> header) {
        rows.add(List.copyOf(header));
    }

    public void add(List<String> row) {
        if (row.size() != rows.get(0).size()) {
            throw new IllegalArgumentException(
                    row.size() + " cells instead of " + rows.get(0).size());
        }
        rows.add(List.copyOf(row));
    }

    @Override
    public String toString() {
        int columns = rows.get(0).size();
        int[] width = new int[columns];
        for (List<String> row : rows) {
            for (int i = 0; i < columns; i++) {
                width[i] = Math.max(width[i], row.get(i).length());
            }
        }
        StringBuilder text = new StringBuilder();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < columns; i++) {
                String cell = row.get(i);
                String padding = " ".repeat(width[i] - cell.length());
                line.append(i == 0 ? cell + padding : GAP + padding + cell);
            }
            text.append(line.toString().stripTrailing()).append(System.lineSeparator());
        }
        return text.toString();
    }
}
