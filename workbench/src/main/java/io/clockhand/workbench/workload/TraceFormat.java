// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.workload;

import io.clockhand.workbench.environment.CommandFailure;
import io.clockhand.workbench.experiment.options.EnumNames;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.Charset;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * How references are written in a file. Lines of text may end in CR LF; empty ones and comments, which begin with
 * {@code #}, are skipped. In most formats a reference can be marked as a write, which changes the page; without a mark
 * it is a read.
 */
public enum TraceFormat {
    /**
     * Text, a page number a line, which {@code w} may follow for a write, or {@code r} for a read; a line that is
     * {@code *} is skipped.
     */
    LIRS(null, 0),
    /**
     * Text, four numbers a line: the first page, how many consecutive ones, one to ignore, and that of the request;
     * {@code w} may follow for writes, or {@code r} for reads.
     */
    ARC(".lis", 0),
    /** Binary, a big-endian int for each reference. */
    CACHE2K(null, Integer.BYTES),
    /** The same. */
    U32BE(".u32be", Integer.BYTES),
    /** Binary, a big-endian long for each reference. */
    U64BE(".u64be", Long.BYTES),
    /** Binary, a big-endian int for each reference: its highest bit is set for a write, the others are the page. */
    RW32BE(".rw32be", Integer.BYTES),
    /** Binary, a big-endian long for each reference: its highest bit is set for a write, the others are the page. */
    RW64BE(".rw64be", Long.BYTES),
    /**
     * Binary, the format {@code oracleGeneral} of libCacheSim: 24 bytes for each reference, little-endian, of which
     * eight, after a time of four, are the object: the page. Sizes are ignored.
     */
    ORACLE_GENERAL(".oraclegeneral(.bin)?", 24),
    /**
     * Text, comma-separated, with a head line {@code version,time,op,size,lbn} or another that has a column {@code
     * lbn}: the page. Another column can be chosen, and cells may be quoted. Marks are in the column {@code op}, if
     * there is one: {@code w} or {@code write}, in small or large letters, is a write; everything else is a read.
     */
    LIBCACHESIM_CSV(".csv", 0);

    private static final int MOST_PAGES_OF_A_REQUEST = 1 << 20;
    private static final Pattern MARK = Pattern.compile("\\s+[rw]$");

    private final String ending;
    private final int recordBytes;

    /**
     * Makes one.
     *
     * @param ending of names of files, in small letters, as a pattern; null for none
     * @param recordBytes of a reference; 0 of text
     */
    TraceFormat(String ending, int recordBytes) {
        this.ending = ending;
        this.recordBytes = recordBytes;
    }

    /** Receives what a trace refers to. */
    interface References {
        void add(long page, boolean isWrite);
    }

    /** Whether a file has this format because of its name, in small letters. */
    boolean isNamed(String fileName) {
        return ending != null && fileName.matches(".*" + ending.replace(".", "\\."));
    }

    /** Whether a file of this format has lines. */
    boolean isText() {
        return recordBytes == 0;
    }

    /** As options name it. */
    public String label() {
        return EnumNames.of(this);
    }

    static List<String> labels(Predicate<TraceFormat> which) {
        return Arrays.stream(values()).filter(which).map(TraceFormat::label).toList();
    }

    /** That of text which begins with this line. */
    static TraceFormat ofText(String line) {
        if (line.contains(",")) {
            return LIBCACHESIM_CSV;
        }
        return unmarked(line).matches("\\S*") ? LIRS : ARC;
    }

    private static String unmarked(String line) {
        return MARK.matcher(line).replaceFirst("");
    }

    // --- binary formats ----------------------------------------------------------------------------------------------

    /**
     * Hands over the references of a binary format.
     *
     * @param file its name in messages
     */
    void readRecords(String file, InputStream bytes, References references) throws IOException {
        byte[] record = new byte[recordBytes];
        ByteBuffer fields = ByteBuffer.wrap(record);
        for (long count = 1; ; count++) {
            int read = bytes.readNBytes(record, 0, recordBytes);
            if (read == 0) {
                return;
            }
            if (read < recordBytes) {
                throw new CommandFailure(
                        file + " is truncated: reference " + count + " has " + read + " of " + recordBytes + " bytes");
            }
            switch (this) {
                case RW32BE -> references.add(fields.getInt(0) & Integer.MAX_VALUE, fields.getInt(0) < 0);
                case RW64BE -> references.add(fields.getLong(0) & Long.MAX_VALUE, fields.getLong(0) < 0);
                case U64BE -> references.add(fields.getLong(0), false);
                case ORACLE_GENERAL ->
                    references.add(fields.order(ByteOrder.LITTLE_ENDIAN).getLong(Integer.BYTES), false);
                default -> references.add(Integer.toUnsignedLong(fields.getInt(0)), false);
            }
        }
    }

    // --- formats of text ---------------------------------------------------------------------------------------------

    /**
     * Hands over the references of a format of text.
     *
     * @param file its name in messages
     * @param column of CSV, as {@link Trace#read} takes it
     */
    void readLines(String file, InputStream bytes, Charset charset, String column, References references)
            throws IOException {
        Consumer<String> reader = switch (this) {
            case LIRS -> line -> readPage(line, references);
            case ARC -> line -> readRequest(line, references);
            default -> new CsvTrace(references, column)::readLine;
        };
        BufferedReader lines = new BufferedReader(new InputStreamReader(bytes, charset));
        long number = 0;
        for (String text = lines.readLine(); text != null; text = lines.readLine()) {
            number++;
            String line = text.replace("\ufeff", "").strip();
            try {
                if (!isSkipped(line)) {
                    reader.accept(line);
                }
            } catch (IllegalArgumentException e) {
                String shown = line.replaceAll("[^ -~]", "?").replaceFirst("^(.{40}).+", "$1…");
                throw new CommandFailure(file + ", line " + number + ": '" + shown + "' is not " + e.getMessage(), e);
            }
        }
    }

    static boolean isSkipped(String line) {
        return line.isEmpty() || line.startsWith("#");
    }

    private static void readPage(String line, References references) {
        if (!line.equals("*")) {
            String page = unmarked(line);
            references.add(unsigned(page, "a page number"), !page.equals(line) && line.endsWith("w"));
        }
    }

    private static void readRequest(String line, References references) {
        String request = unmarked(line);
        String[] columns = request.split("\\s+", -1);
        if (columns.length != 4) {
            throw new IllegalArgumentException("'first-page count ignored request-number'");
        }
        long first = unsigned(columns[0], "a first page");
        long count = unsigned(columns[1], "a count");
        if (count < 1 || count > MOST_PAGES_OF_A_REQUEST) {
            throw new IllegalArgumentException("a request of 1 to " + MOST_PAGES_OF_A_REQUEST + " pages");
        }
        for (long i = 0; i < count; i++) {
            references.add(first + i, !request.equals(line) && line.endsWith("w"));
        }
    }

    /** An {@link IllegalArgumentException} says what is expected. */
    private static long unsigned(String text, String expected) {
        try {
            if (!text.startsWith("+")) {
                return Long.parseUnsignedLong(text);
            }
        } catch (NumberFormatException e) {
            // below
        }
        throw new IllegalArgumentException(expected);
    }

    /** The lines of a CSV trace: the first is the head line, unless its column has a number. Not thread-safe. */
    private static final class CsvTrace {
        private static final Set<String> WRITES = Set.of("w", "write");

        private final References references;
        private final String column;
        private int columns;
        private int pageColumn;
        /** Negative if there is none. */
        private int operationColumn = -1;

        CsvTrace(References references, String column) {
            this.references = references;
            this.column = column == null ? "lbn" : column;
        }

        void readLine(String line) {
            List<String> cells = CsvLine.cells(line);
            if (columns == 0) {
                columns = cells.size();
                pageColumn = pageColumn(cells);
                if (!cells.get(pageColumn).matches("[0-9]+")) {
                    operationColumn = cells.indexOf("op");
                    return;
                }
            }
            if (cells.size() != columns) {
                throw new IllegalArgumentException("a line of " + columns + " columns");
            }
            references.add(
                    unsigned(cells.get(pageColumn), "a line with a page number in column " + (pageColumn + 1)),
                    operationColumn >= 0
                            && WRITES.contains(cells.get(operationColumn).toLowerCase(Locale.ROOT)));
        }

        /** By its name; or by its number. */
        private int pageColumn(List<String> head) {
            int named = head.indexOf(column);
            if (named != head.lastIndexOf(column)) {
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
    }
}
