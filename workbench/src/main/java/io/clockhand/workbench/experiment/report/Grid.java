// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.experiment.report;

import java.util.List;

/**
 * A table, for the terminal and for the page.
 *
 * @param common the values that are the same in all rows, in one line; may be empty
 */
public record Grid(String title, String common, List<String> head, List<List<Object>> rows) {
    /** The first column to the left, the others to the right. */
    @Override
    public String toString() {
        int[] width = new int[head.size()];
        measure(head, width);
        rows.forEach(row -> measure(row, width));
        StringBuilder text = new StringBuilder(common.isEmpty() ? "" : common + System.lineSeparator());
        append(head, width, text);
        rows.forEach(row -> append(row, width, text));
        return text.toString();
    }

    private static void measure(List<?> row, int[] width) {
        for (int i = 0; i < width.length; i++) {
            width[i] = Math.max(width[i], row.get(i).toString().length());
        }
    }

    private static void append(List<?> row, int[] width, StringBuilder text) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < width.length; i++) {
            String cell = row.get(i).toString();
            String padding = " ".repeat(width[i] - cell.length());
            line.append(i == 0 ? cell + padding : "  " + padding + cell);
        }
        text.append(line.toString().stripTrailing()).append(System.lineSeparator());
    }
}
