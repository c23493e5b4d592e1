// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.report;

import io.clockhand.workbench.environment.CommandFailure;
import io.clockhand.workbench.environment.Disk;
import io.clockhand.workbench.environment.Environment;
import io.clockhand.workbench.environment.Version;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The results of a command: as JSON, as CSV, as a page with charts, and as text for the terminal. */
public final class Report {
    /** Of the files. */
    private static final String[] ENDINGS = {".json", ".csv", ".html"};

    private final String command;
    private final String title;
    private String note;
    private final Map<String, Object> json = new LinkedHashMap<>();
    private final Map<String, Object> page = new LinkedHashMap<>();
    private final List<Grid> tables = new ArrayList<>();
    private final List<Chart> charts = new ArrayList<>();
    private String csv = "";
    private String text = "";

    /**
     * Makes a report without results.
     *
     * @param lead one line below the page's title
     * @param note the limits of the figures, for the reader
     */
    public Report(
            String command,
            String title,
            String lead,
            String note,
            Environment environment,
            Map<String, Object> options) {
        this.command = command;
        this.title = title;
        this.note = note;
        add("command", command);
        add("version", Version.current());
        add("note", note);
        add("environment", environment);
        add("options", options);
        page.put("lead", lead + ", " + environment.date());
        page.put("report", json);
        page.put("tables", tables);
        page.put("charts", charts);
    }

    /** Adds a field to the JSON. */
    public Report add(String field, Object value) {
        json.put(field, value);
        return this;
    }

    /** Adds results, their table and their CSV. */
    public <R> Report results(String field, Results<R> results) {
        add(field, results.json());
        csv = results.csv();
        page.put("list", field);
        page.put("labels", results.runs().stream().map(results::label).toList());
        page.put("choices", results.choices());
        if (results.rate() != null) {
            note = String.join(
                    " ",
                    Stream.of(note, results.method())
                            .filter(text -> !text.isEmpty())
                            .toList());
            json.put("note", note);
            Grid summary = results.table("Summary");
            text = summary.toString();
            tables.add(summary);
            page.put("summary", results.summary());
            page.put(
                    "summaryLabels",
                    results.lines().stream().map(Results.Line::contender).toList());
        }
        tables.add(results.everyRun("Every run"));
        return this;
    }

    /** Adds the summary of results to the JSON. */
    public Report summary(Results<?> results) {
        return add("summary", results.summary());
    }

    public Report table(Grid table) {
        tables.add(0, table);
        return this;
    }

    /** Adds a table to the page, after the others, and to the terminal. */
    public Report added(Grid table) {
        tables.add(table);
        text = text + System.lineSeparator() + table.title() + System.lineSeparator() + table;
        return this;
    }

    /** Replaces the table for the terminal. */
    public Report text(String other) {
        text = other;
        return this;
    }

    public Report chart(Chart chart) {
        charts.add(chart);
        return this;
    }

    public String json() {
        return Json.of(json);
    }

    public String csv() {
        return csv;
    }

    public String table() {
        return text;
    }

    public String page() {
        return HtmlPage.of(title, Json.of(page));
    }

    /**
     * Makes the directory for the results of a command if there is none, and fails, in one sentence, if one of the
     * files cannot be written there: to be called before hours of work.
     */
    public static void requireWritable(Path directory, String command) {
        Disk.requireWritable(directory, "the results");
        ResultFiles.requireWritable(
                directory, Stream.of(ENDINGS).map(ending -> command + ending).toList());
    }

    /** Prints the table, writes the files, and prints the conclusion. The table stands there even if writing fails. */
    public void publish(Path directory, PrintStream out, String conclusion) {
        out.print(text);
        out.println(note);
        out.flush();
        ResultFiles files = new ResultFiles(directory)
                .add(command + ENDINGS[0], json())
                .add(command + ENDINGS[1], csv())
                .add(command + ENDINGS[2], page());
        try {
            files.write();
        } catch (IOException e) {
            out.println(conclusion);
            out.flush();
            throw new CommandFailure("cannot write the results to " + directory + ": " + e.getMessage(), e);
        }
        out.println("Written: " + String.join(", ", files.paths()));
        out.println();
        out.println(conclusion);
        out.flush();
    }
}
