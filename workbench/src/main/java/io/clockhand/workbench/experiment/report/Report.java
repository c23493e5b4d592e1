// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.experiment.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.clockhand.workbench.environment.CommandFailure;
import io.clockhand.workbench.environment.Disk;
import io.clockhand.workbench.environment.Environment;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/** The results of a command: as JSON, as CSV, as a page with charts, and as text for the terminal. */
public final class Report {
    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
    private static final List<String> ENDINGS = List.of(".json", ".csv", ".html");

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
        add("version", Environment.version());
        add("note", note);
        add("environment", environment);
        add("options", options);
        page.put("lead", lead + ", " + environment.date());
        page.put("report", json);
        page.put("tables", tables);
        page.put("charts", charts);
    }

    public Report add(String field, Object value) {
        json.put(field, value);
        return this;
    }

    /** Adds results, their summary if they are compared, their tables and their CSV. */
    public <R> Report results(String field, Results<R> results) {
        add(field, results.json());
        csv = results.csv();
        page.put("list", field);
        page.put("labels", results.runs().stream().map(results::label).toList());
        page.put("choices", results.choices());
        if (results.rate() != null) {
            String method = results.method();
            note += note.isEmpty() || method.isEmpty() ? method : " " + method;
            json.put("note", note);
            Grid summary = results.table("Summary");
            text = summary.toString();
            tables.add(summary);
            add("summary", results.summary());
            page.put(
                    "summaryLabels",
                    results.lines().stream().map(Results.Line::contender).toList());
        }
        tables.add(results.everyRun("Every run"));
        return this;
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
        return json(json);
    }

    private static String json(Object value) {
        try {
            return JSON.writeValueAsString(value) + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    public String csv() {
        return csv;
    }

    public String table() {
        return text;
    }

    // --- the page, which carries its data and the chart library with it, and so opens without a network --------------

    public String page() {
        // In a script element "</script" ends it and "<!--<script" hides its end. In JSON a "<" lies within strings
        // only, where it may be escaped. The data come last, since they may contain any of the marks.
        return resource("report.html")
                .replace("/*title*/", title)
                .replace("/*report.css*/", resource("report.css"))
                .replace("/*report.js*/", resource("report.js"))
                .replace("/*chart.js*/", chartScript().replace("</script", "<\\/script"))
                .replace("/*data*/", json(page).replace("<", "\\u003c"));
    }

    private static String chartScript() {
        Properties coordinates = new Properties();
        try (InputStream pom =
                Report.class.getResourceAsStream("/META-INF/maven/org.webjars.npm/chart.js/pom.properties")) {
            coordinates.load(pom);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        String version = coordinates.getProperty("version");
        return resource("/META-INF/resources/webjars/chart.js/" + version + "/dist/chart.umd.min.js");
    }

    private static String resource(String name) {
        try (InputStream stream = Report.class.getResourceAsStream(name)) {
            if (stream == null) {
                throw new IllegalStateException("the workbench's jar lacks " + name);
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    // --- files -------------------------------------------------------------------------------------------------------

    /**
     * Makes the directory for the results of a command if there is none, and fails, in one sentence, if one of the
     * files cannot be written there: to be called before hours of work.
     */
    public static void requireWritable(Path directory, String command) {
        Disk.requireWritable(directory, "the results");
        for (String ending : ENDINGS) {
            Path file = directory.resolve(command + ending);
            if (Files.isDirectory(file)) {
                throw new CommandFailure("cannot write the results to " + file + ": it is a directory");
            }
        }
    }

    private static Path part(Path directory, String name) {
        return directory.resolve("." + name + ".part");
    }

    /** Prints the table, writes the files, and prints the conclusion. The table stands there even if writing fails. */
    public void publish(Path directory, PrintStream out, String conclusion) {
        out.print(text);
        out.println(note);
        out.flush();
        List<String> contents = List.of(json(), csv(), page());
        try {
            write(directory, contents);
        } catch (IOException e) {
            out.println(conclusion);
            out.flush();
            throw new CommandFailure("cannot write the results to " + directory + ": " + e.getMessage(), e);
        }
        List<String> paths = ENDINGS.stream()
                .map(ending -> directory.resolve(command + ending).toString())
                .toList();
        out.println("Written: " + String.join(", ", paths));
        out.println();
        out.println(conclusion);
        out.flush();
    }

    /** All files are written to temporary ones first, then moved; they replace files of the same names. */
    private void write(Path directory, List<String> contents) throws IOException {
        Files.createDirectories(directory);
        List<String> names = ENDINGS.stream().map(ending -> command + ending).toList();
        try {
            for (int i = 0; i < names.size(); i++) {
                Files.writeString(part(directory, names.get(i)), contents.get(i));
            }
            for (String name : names) {
                Files.move(part(directory, name), directory.resolve(name), StandardCopyOption.REPLACE_EXISTING);
            }
        } finally {
            for (String name : names) {
                Files.deleteIfExists(part(directory, name));
            }
        }
    }
}
