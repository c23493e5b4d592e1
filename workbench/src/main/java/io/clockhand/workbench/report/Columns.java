// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** A table for the terminal whose settings have columns only if they differ; what is the same in all lines is said once, above it. */
public final class Columns<L> {
    private final List<Column<L>> keys = new ArrayList<>();
    private final List<Column<L>> settings = new ArrayList<>();
    private final List<Column<L>> figures = new ArrayList<>();

    private record Column<L>(String head, Function<L, String> cell) {}

    /** Adds a column on the left that is always there. */
    public Columns<L> key(String head, Function<L, String> cell) {
        keys.add(new Column<>(head, cell));
        return this;
    }

    /** Adds a column that is there only if its values differ; values that were not measured count for none. */
    public Columns<L> setting(String head, Function<L, String> cell) {
        settings.add(new Column<>(head, cell));
        return this;
    }

    /** Adds a column on the right that is always there. */
    public Columns<L> figure(String head, Function<L, String> cell) {
        figures.add(new Column<>(head, cell));
        return this;
    }

    /** The lines under their heads, below what they have in common. */
    public String table(List<L> lines) {
        List<String> same = new ArrayList<>();
        List<Column<L>> columns = new ArrayList<>(keys);
        for (Column<L> column : settings) {
            List<String> values = lines.stream()
                    .map(column.cell())
                    .filter(value -> !value.equals(Figures.NOT_MEASURED))
                    .distinct()
                    .toList();
            if (values.size() > 1) {
                columns.add(column);
            } else if (values.size() == 1) {
                same.add(column.head() + " " + values.get(0));
            }
        }
        columns.addAll(figures);
        TextTable table = new TextTable(columns.stream().map(Column::head).toList());
        lines.forEach(line -> table.add(
                columns.stream().map(column -> column.cell().apply(line)).toList()));
        String head = same.isEmpty() ? "" : "In all runs: " + String.join(", ", same) + System.lineSeparator();
        return head + table;
    }
}
