// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.workload;

import io.clockhand.workbench.workload.TraceFormat.References;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The lines of a CSV trace: the first is the head line. Not thread-safe. */
final class CsvTrace {
    private static final String PAGE_COLUMN = "lbn";
    private static final String OPERATION_COLUMN = "op";
    private static final Set<String> WRITES = Set.of("w", "write");

    private final References references;
    private final String column;
    private int columns;
    private int pageColumn;
    /** Negative if there is none. */
    private int operationColumn = -1;

    /**
     * Makes a reader of the first line.
     *
     * @param column the name or the number of that of pages; null for the usual one
     */
    CsvTrace(References references, String column) {
        this.references = references;
        this.column = column == null ? PAGE_COLUMN : column;
    }

    void onLine(String line) {
        List<String> cells = CsvLine.cells(line);
        if (columns == 0) {
            columns = cells.size();
            pageColumn = pageColumn(cells);
            if (!isNumber(cells.get(pageColumn))) {
                operationColumn = cells.indexOf(OPERATION_COLUMN);
                return;
            }
        }
        if (cells.size() != columns) {
            throw new IllegalArgumentException("a line of " + columns + " columns");
        }
        references.add(
                TraceFormat.unsigned(cells.get(pageColumn), "a line with a page number in column " + (pageColumn + 1)),
                operationColumn >= 0
                        && WRITES.contains(cells.get(operationColumn).toLowerCase(Locale.ROOT)));
    }

    /** By its name; or by its number, for which a head line need not be there. */
    private int pageColumn(List<String> head) {
        int named = head.indexOf(column);
        if (named >= 0 && head.lastIndexOf(column) != named) {
            throw new IllegalArgumentException("a head line with only one column " + column);
        }
        if (named >= 0) {
            return named;
        }
        if (column.matches("[1-9][0-9]{0,3}") && Integer.parseInt(column) <= head.size()) {
            return Integer.parseInt(column) - 1;
        }
        throw new IllegalArgumentException(
                "a head line with a column " + column + " (simulate --column names another, or its number)");
    }

    private static boolean isNumber(String text) {
        return text.matches("[0-9]+");
    }
}
