// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.experiment.report;

import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * One value of a run: its field in JSON and CSV, and its head and format in tables.
 *
 * @param <R> a run
 */
public final class Column<R> {
    /** The part that a value has in a run. */
    enum Role {
        CONTENDER,
        SETTING,
        FIGURE
    }

    /** How tables merge the repeats. */
    private enum Merge {
        MEDIAN,
        MEDIAN_AND_RANGE,
        SUM,
        LARGEST
    }

    final Role role;
    final String field;
    private final Function<R, ?> value;
    String head;
    private String format = "%s";
    private String words = "%s";
    private Merge merge = Merge.MEDIAN;
    boolean inJson = true;
    boolean inCsv = true;
    boolean inSummary;
    boolean onlyOfRuns;
    boolean mark;
    private double factor = 1;

    private Column(Role role, String field, Function<R, ?> value) {
        this.role = role;
        this.field = field;
        this.value = value;
    }

    /** A part of the name of a contender. */
    public static <R> Column<R> contender(String field, Function<R, ?> value) {
        return new Column<>(Role.CONTENDER, field, value).as(field, "%s").inSummary();
    }

    /** Contenders are compared within one setting. */
    public static <R> Column<R> setting(String field, Function<R, ?> value) {
        return new Column<>(Role.SETTING, field, value).as(field, "%s").inSummary();
    }

    /** A value that a run measured, or that is the same in all runs. */
    public static <R> Column<R> figure(String field, Function<R, ?> value) {
        return new Column<>(Role.FIGURE, field, value);
    }

    /** Shows it in tables. */
    public Column<R> as(String newHead, String newFormat) {
        head = newHead;
        format = newFormat;
        return this;
    }

    /** How it is called in a sentence, such as {@code "%s hand"}. */
    public Column<R> inWords(String newWords) {
        words = newWords;
        return this;
    }

    /** Adds minimum, median and maximum of the repeats to the summary. */
    public Column<R> inSummary() {
        inSummary = true;
        return this;
    }

    /** Tells equal contenders apart; null for the first of them. */
    static <R> Column<R> copy(Function<R, ?> value) {
        Column<R> column = contender("copy", value);
        column.mark = true;
        return column.inWords("copy %s");
    }

    /** Shown per run, not per contender. */
    public Column<R> onlyOfRuns() {
        onlyOfRuns = true;
        return this;
    }

    /** The table adds the repeats up. */
    public Column<R> added() {
        merge = Merge.SUM;
        return this;
    }

    /** The table shows the largest of the repeats. */
    public Column<R> largest() {
        merge = Merge.LARGEST;
        return this;
    }

    /** The table shows the median of the repeats with the least and the greatest. */
    public Column<R> withRange() {
        merge = Merge.MEDIAN_AND_RANGE;
        return this;
    }

    /** A ratio that tables show in percent. */
    public Column<R> asPercent(String newHead) {
        factor = 100;
        return as(newHead, "%.2f");
    }

    public Column<R> onlyInJson() {
        inCsv = false;
        return this;
    }

    public Column<R> notInJson() {
        inJson = false;
        return this;
    }

    public Column<R> onlyInTables() {
        inCsv = false;
        return notInJson();
    }

    Object value(R run) {
        return value.apply(run);
    }

    /** Null if it was not measured. */
    Double number(R run) {
        return value(run) instanceof Number number ? Double.valueOf(number.doubleValue()) : null;
    }

    Spread spread(List<R> runs) {
        return Spread.of(
                runs.stream().map(this::number).filter(Objects::nonNull).toList());
    }

    String text(R run) {
        return shown(value(run));
    }

    /** As a sentence has it; one thread is no {@code threads}. */
    String words(R run) {
        String text = String.format(words, text(run));
        return text.startsWith("1 ") && text.endsWith("s") ? text.substring(0, text.length() - 1) : text;
    }

    /** Of all repeats; a sum or a largest one needs every repeat to be measured. */
    String text(List<R> runs) {
        if (role != Role.FIGURE) {
            return text(runs.get(0));
        }
        boolean needsAll = merge == Merge.SUM || merge == Merge.LARGEST;
        if (needsAll && runs.stream().anyMatch(run -> number(run) == null)) {
            return Figures.NOT_MEASURED;
        }
        if (merge == Merge.SUM) {
            return shown(runs.stream().mapToDouble(this::number).sum());
        }
        if (merge == Merge.LARGEST) {
            return text(runs, Spread::max);
        }
        String median = text(runs, Spread::median);
        return merge == Merge.MEDIAN || runs.size() == 1 || spread(runs) == null
                ? median
                : median + " (" + text(runs, Spread::min) + " … " + text(runs, Spread::max) + ")";
    }

    String text(List<R> runs, ToDoubleFunction<Spread> part) {
        Spread spread = spread(runs);
        return spread == null ? Figures.NOT_MEASURED : shown(part.applyAsDouble(spread));
    }

    private String shown(Object shown) {
        if (shown == null) {
            return Figures.NOT_MEASURED;
        }
        if (shown instanceof Boolean flag) {
            return flag ? "yes" : "no";
        }
        if (!(shown instanceof Number number)) {
            return Figures.of(format, shown);
        }
        double scaled = number.doubleValue() * factor;
        return format.equals("%s") ? Figures.brief(scaled) : Figures.of(format, scaled);
    }
}
