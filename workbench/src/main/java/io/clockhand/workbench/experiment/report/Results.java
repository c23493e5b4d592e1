// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.experiment.report;

import io.clockhand.workbench.experiment.report.Column.Role;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Runs, and how their columns are rendered.
 *
 * @param runs in the order of the plan, those that failed included
 * @param rate the field that contenders are compared by; null if nothing is
 * @param cell of a run
 * @param turns of a run in a duel; null if it ran alone
 * @param sliceSeconds of the duels; null if there are none
 * @param namedBaseline the name of the contender that others are compared with; null for the first
 */
public record Results<R>(
        List<Column<R>> columns,
        List<R> runs,
        String rate,
        Function<R, Cell<?, ?>> cell,
        Function<R, Turns> turns,
        Double sliceSeconds,
        String namedBaseline) {

    public Results {
        columns = new ArrayList<>(columns);
        if (rate != null) {
            columns.add(Column.<R>copy(run -> {
                int occurrence = cell.apply(run).occurrence();
                return occurrence == 1 ? null : Integer.valueOf(occurrence);
            }));
        }
    }

    /** Results that are only listed. */
    public static <R> Results<R> notCompared(List<Column<R>> columns, List<R> runs) {
        return new Results<>(columns, runs, null, null, null, null, null);
    }

    /**
     * All repeats of a contender in a setting.
     *
     * @param ratio to the baseline; null for the baseline itself, and if they did not play together
     * @param paired ratios of single repeats
     * @param rounds of the duels
     */
    public record Line<R>(
            String contender,
            List<Object> setting,
            List<R> runs,
            Ratio ratio,
            Spread paired,
            int pairs,
            Integer rounds) {
        R first() {
            return runs.get(0);
        }

        /** The least and the greatest ratio of a pair. */
        public String pairsInWords() {
            return pairs == 1
                    ? "one pair"
                    : String.format(Locale.ROOT, "%.2f … %.2f in %d pairs", paired.min(), paired.max(), pairs);
        }
    }

    private record Key(List<Object> contender, List<Object> setting) {}

    /** In the order of the plan. */
    public List<Line<R>> lines() {
        Map<Key, List<R>> groups = new LinkedHashMap<>();
        runs.forEach(run -> groups.computeIfAbsent(
                        new Key(values(Role.CONTENDER, run), values(Role.SETTING, run)), absent -> new ArrayList<>())
                .add(run));
        String base = baseline();
        List<Line<R>> lines = new ArrayList<>();
        groups.forEach((key, own) -> {
            String label = label(own.get(0));
            List<R> bases = label.equals(base) ? List.of() : baseRuns(groups, key.setting, base);
            List<Double> paired = ratios(own, bases);
            List<Turns> played = turns(own);
            lines.add(new Line<>(
                    label,
                    key.setting,
                    own,
                    ratio(played, turns(bases)),
                    Spread.of(paired),
                    paired.size(),
                    played.isEmpty()
                            ? null
                            : played.stream().mapToInt(Turns::count).sum()));
        });
        return lines;
    }

    private List<Turns> turns(List<R> own) {
        return own.stream().map(turns).filter(Objects::nonNull).toList();
    }

    private static Ratio ratio(List<Turns> own, List<Turns> bases) {
        return own.isEmpty() || bases.isEmpty()
                ? null
                : Turns.ratio(own, bases.get(0).name());
    }

    public String baseline() {
        return runs.stream()
                .filter(run -> namedBaseline == null
                        || of(Role.CONTENDER)
                                .findFirst()
                                .orElseThrow()
                                .text(run)
                                .equals(namedBaseline))
                .findFirst()
                .or(() -> runs.stream().findFirst())
                .map(this::label)
                .orElse("");
    }

    private List<R> baseRuns(Map<Key, List<R>> groups, List<Object> setting, String base) {
        return groups.entrySet().stream()
                .filter(group -> group.getKey().setting.equals(setting)
                        && label(group.getValue().get(0)).equals(base))
                .flatMap(group -> group.getValue().stream())
                .toList();
    }

    /**
     * One ratio for each repeat in which both have measured something, and the baseline more than nothing: noise that
     * lasts longer than a pair falls out.
     */
    private List<Double> ratios(List<R> own, List<R> base) {
        if (rate == null) {
            return List.of();
        }
        Column<R> figure = column(rate);
        return own.stream()
                .filter(run -> figure.number(run) != null)
                .flatMap(run -> base.stream()
                        .filter(other -> repeat(other) == repeat(run))
                        .map(figure::number)
                        .filter(number -> number != null && number > 0)
                        .map(number -> figure.number(run) / number))
                .toList();
    }

    private int repeat(R run) {
        return cell.apply(run).repeat();
    }

    private List<Object> values(Role role, R run) {
        return of(role).map(column -> column.value(run)).collect(Collectors.toCollection(ArrayList::new));
    }

    private Stream<Column<R>> of(Role role) {
        return columns.stream().filter(column -> column.role == role);
    }

    Column<R> column(String field) {
        return columns.stream()
                .filter(column -> column.field.equals(field))
                .findFirst()
                .orElseThrow();
    }

    private boolean isSeveral(Column<R> column) {
        long values = runs.stream()
                .map(column::value)
                .filter(Objects::nonNull)
                .distinct()
                .count();
        return values > (column.mark ? 0 : 1);
    }

    /** The first part of a contender's name, and of the others those that differ between contenders. */
    public String label(R run) {
        Column<R> first = of(Role.CONTENDER).findFirst().orElseThrow();
        return first.words(run)
                + of(Role.CONTENDER)
                        .filter(column -> column != first && column.value(run) != null && isSeveral(column))
                        .map(column -> ", " + column.words(run))
                        .collect(Collectors.joining());
    }

    /** The parts of a setting that differ between settings. */
    public String settingInWords(R run) {
        return of(Role.SETTING)
                .filter(this::isSeveral)
                .map(column -> column.words(run))
                .collect(Collectors.joining(", "));
    }

    List<Map<String, Object>> json() {
        return runs.stream().map(this::json).toList();
    }

    private Map<String, Object> json(R run) {
        Map<String, Object> fields = new LinkedHashMap<>();
        columns.stream().filter(column -> column.inJson).forEach(column -> fields.put(column.field, column.value(run)));
        return fields;
    }

    List<Map<String, Object>> summary() {
        return lines().stream().map(this::summary).toList();
    }

    private Map<String, Object> summary(Line<R> line) {
        Map<String, Object> fields = new LinkedHashMap<>();
        columns.stream()
                .filter(column -> column.inSummary)
                .forEach(column -> fields.put(
                        column.field,
                        column.role == Role.FIGURE ? column.spread(line.runs()) : column.value(line.first())));
        if (rate != null) {
            fields.put("ratioOfPairs", line.paired());
            fields.put("pairs", line.pairs());
            fields.put("ratio", line.ratio());
            fields.put("duel", line.ratio() != null && line.ratio().inTurns());
            fields.put("rounds", line.rounds());
            fields.put("sliceSeconds", line.rounds() == null ? null : sliceSeconds);
        }
        return fields;
    }

    /** Comma-separated values (RFC 4180); a value that was not measured is empty. */
    String csv() {
        List<Column<R>> written =
                columns.stream().filter(column -> column.inCsv).toList();
        StringBuilder csv = new StringBuilder(line(written.stream().map(column -> column.field)));
        runs.forEach(run -> csv.append(line(written.stream().map(column -> column.value(run)))));
        return csv.toString();
    }

    private static String line(Stream<?> cells) {
        return cells.map(Results::quoted).collect(Collectors.joining(",", "", "\r\n"));
    }

    static String quoted(Object cell) {
        String value = cell == null ? "" : cell.toString();
        return value.matches("(?s).*[\",\\r\\n].*") ? '"' + value.replace("\"", "\"\"") + '"' : value;
    }

    /** One row for each contender in each setting; values that are the same in all of them stand above. */
    public Grid table(String title) {
        List<Line<R>> lines = lines();
        Map<String, Function<Line<R>, String>> shown = new LinkedHashMap<>(); // by the head of the column
        keys().forEach(column -> shown.put(column.head, line -> column.text(line.first())));
        boolean repeated = runs.stream().anyMatch(run -> repeat(run) > 1);
        boolean compared = lines.stream().anyMatch(line -> line.ratio() != null);
        of(Role.FIGURE)
                .filter(column -> column.head != null && !column.onlyOfRuns)
                .forEach(column -> {
                    shown.put(column.head, line -> column.text(line.runs()));
                    if (column.field.equals(rate) && repeated) {
                        shown.put("min", line -> column.text(line.runs(), Spread::min));
                        shown.put("max", line -> column.text(line.runs(), Spread::max));
                    }
                    if (column.field.equals(rate) && compared) {
                        shown.put("to " + baseline(), line -> Figures.of("%s", line.ratio()));
                    }
                });
        return new Grid(
                title,
                common(),
                List.copyOf(shown.keySet()),
                lines.stream()
                        .map(line -> shown.values().stream()
                                .<Object>map(text -> text.apply(line))
                                .toList())
                        .toList());
    }

    /** The first column, and of the other contender and setting columns those that differ. */
    private List<Column<R>> keys() {
        Column<R> first = of(Role.CONTENDER).findFirst().orElseThrow();
        return Stream.concat(of(Role.CONTENDER), of(Role.SETTING))
                .filter(column -> column == first || isSeveral(column))
                .toList();
    }

    private String common() {
        List<Column<R>> keys = keys();
        String same = Stream.concat(of(Role.CONTENDER), of(Role.SETTING))
                .filter(column -> !keys.contains(column))
                .map(this::commonOf)
                .filter(text -> !text.isEmpty())
                .collect(Collectors.joining(", "));
        return same.isEmpty() ? "" : "In all runs: " + same;
    }

    private String commonOf(Column<R> column) {
        return runs.stream()
                .filter(run -> column.value(run) != null)
                .findFirst()
                .map(run -> column.head + " " + column.text(run))
                .orElse("");
    }

    /** Every run, with all that tables show. */
    Grid everyRun(String title) {
        List<Column<R>> shown = new ArrayList<>(keys());
        of(Role.FIGURE)
                .filter(column -> column.head != null && runs.stream().anyMatch(run -> column.value(run) != null))
                .forEach(shown::add);
        return new Grid(
                title,
                common(),
                shown.stream().map(column -> column.head).toList(),
                runs.stream()
                        .map(run -> shown.stream()
                                .<Object>map(column -> column.text(run))
                                .toList())
                        .toList());
    }

    /** How contenders were compared, in a sentence; empty if none were. */
    String method() {
        List<Line<R>> compared =
                lines().stream().filter(line -> line.ratio() != null).toList();
        if (compared.isEmpty()) {
            return "";
        }
        return compared.stream().allMatch(line -> line.ratio().inTurns())
                ? "Duel: all contenders of a setting live at once and run in turn, for " + sliceSeconds
                        + " s each, in an order drawn anew each round; ratios to " + baseline()
                        + " with a 95 % bootstrap interval over rounds."
                : "One after the other: this platform cannot stop and continue processes, so no ratio is claimed.";
    }

    /** The settings that differ, which the reader of the page chooses. */
    List<Map<String, Object>> choices() {
        return of(Role.SETTING)
                .filter(this::isSeveral)
                .map(column -> Map.<String, Object>of("field", column.field, "head", column.head))
                .toList();
    }
}
