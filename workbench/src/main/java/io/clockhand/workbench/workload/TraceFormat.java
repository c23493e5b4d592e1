// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.workload;

import io.clockhand.workbench.experiment.options.EnumNames;
import io.clockhand.workbench.workload.TraceFormat.References;
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
    LIRS(null) {
        @Override
        void read(TraceInput input, References references) throws IOException {
            eachLine(input, line -> {
                if (!line.equals("*")) {
                    String[] columns = line.split("\\s+", -1);
                    boolean marked = columns.length == 2 && isMark(columns[1]);
                    references.add(
                            unsigned(marked ? columns[0] : line, "a page number"), marked && columns[1].equals(WRITE));
                }
            });
        }
    },
    /**
     * Text, four numbers a line: the first page, how many consecutive ones, one to ignore, and that of the request;
     * {@code w} may follow for writes, or {@code r} for reads.
     */
    ARC(".lis") {
        @Override
        void read(TraceInput input, References references) throws IOException {
            eachLine(input, line -> {
                String[] columns = line.split("\\s+", -1);
                boolean marked = columns.length == 5 && isMark(columns[4]);
                if (columns.length != 4 && !marked) {
                    throw new IllegalArgumentException("'first-page count ignored request-number'");
                }
                long first = unsigned(columns[0], "a first page");
                long count = unsigned(columns[1], "a count");
                if (count < 1 || count > MOST_PAGES_OF_A_REQUEST) {
                    throw new IllegalArgumentException("a request of 1 to " + MOST_PAGES_OF_A_REQUEST + " pages");
                }
                unsigned(columns[3], "a request number");
                for (long i = 0; i < count; i++) {
                    references.add(first + i, marked && columns[4].equals(WRITE));
                }
            });
        }
    },
    /** Binary, a big-endian int for each reference. */
    CACHE2K(null, Integer.BYTES, false),
    /** The same. */
    U32BE(".u32be", Integer.BYTES, false),
    /** Binary, a big-endian long for each reference. */
    U64BE(".u64be", Long.BYTES, false),
    /** Binary, a big-endian int for each reference: its highest bit is set for a write, the others are the page. */
    RW32BE(".rw32be", Integer.BYTES, true),
    /** Binary, a big-endian long for each reference: its highest bit is set for a write, the others are the page. */
    RW64BE(".rw64be", Long.BYTES, true),
    /**
     * Binary, the format {@code oracleGeneral} of libCacheSim: 24 bytes for each reference, little-endian, of which
     * eight, after a time of four, are the object: the page. Sizes are ignored.
     */
    ORACLE_GENERAL(".oraclegeneral(.bin)?", 24, false) {
        @Override
        void read(TraceInput input, References references) throws IOException {
            eachRecord(
                    input,
                    record ->
                            references.add(record.order(ByteOrder.LITTLE_ENDIAN).getLong(Integer.BYTES), false));
        }
    },
    /**
     * Text, comma-separated, with a head line {@code version,time,op,size,lbn} or another that has a column {@code
     * lbn}: the page. Another column can be chosen, and cells may be quoted. Marks are in the column {@code op}, if
     * there is one: {@code w} or {@code write}, in small or large letters, is a write; everything else is a read.
     */
    LIBCACHESIM_CSV(".csv") {
        @Override
        void read(TraceInput input, References references) throws IOException {
            eachLine(input, new CsvTrace(references, input.column())::onLine);
        }
    };

    private static final int MOST_PAGES_OF_A_REQUEST = 1 << 20;
    private static final int SHOWN_OF_A_LINE = 40;
    private static final String WRITE = "w";
    private static final String READ = "r";

    private final String ending;
    private final int recordBytes;
    private final boolean marksWrites;

    /**
     * Makes one.
     *
     * @param ending of names of files, as a pattern; null for none
     * @param recordBytes of a reference; 0 of text
     * @param marksWrites whether the highest bit of a big-endian number is set for a write
     */
    TraceFormat(String ending, int recordBytes, boolean marksWrites) {
        this.ending = ending;
        this.recordBytes = recordBytes;
        this.marksWrites = marksWrites;
    }

    /** Makes a format of text. */
    TraceFormat(String ending) {
        this(ending, 0, false);
    }

    /** Receives what a trace refers to. */
    interface References {
        void add(long page, boolean isWrite);
    }

    void read(TraceInput input, References references) throws IOException {
        long mark = marksWrites ? 1L << (Byte.SIZE * recordBytes - 1) : 0;
        eachRecord(input, record -> {
            long number = recordBytes == Integer.BYTES ? Integer.toUnsignedLong(record.getInt(0)) : record.getLong(0);
            references.add(number & ~mark, (number & mark) != 0);
        });
    }

    /** Whether a line of text is one of {@link #LIRS} with a mark, and none of {@link #ARC}. */
    static boolean isMarkedPage(String line) {
        String[] columns = line.split("\\s+", -1);
        return columns.length == 2 && isMark(columns[1]);
    }

    private static boolean isMark(String text) {
        return text.equals(WRITE) || text.equals(READ);
    }

    /** Whether a file is of this format because of its name, in small letters. */
    boolean isNamed(String fileName) {
        return ending != null && fileName.matches(".*" + ending.replace(".", "\\."));
    }

    /** Whether a file of this format has lines, by which it is recognized. */
    boolean isText() {
        return recordBytes == 0;
    }

    static boolean isComment(String line) {
        return line.startsWith("#");
    }

    /** As options name it. */
    public String label() {
        return EnumNames.of(this);
    }

    static List<String> binaryLabels() {
        return Arrays.stream(values())
                .filter(format -> !format.isText())
                .map(TraceFormat::label)
                .toList();
    }

    public static List<String> labels() {
        return Arrays.stream(values()).map(TraceFormat::label).toList();
    }

    /** One line, without space around it; an {@link IllegalArgumentException} names the expected form. */
    private interface LineReader {
        void onLine(String line);
    }

    private static void eachLine(TraceInput input, LineReader reader) throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(input.bytes(), input.charset()));
        long number = 0;
        for (String text = lines.readLine(); text != null; text = lines.readLine()) {
            number++;
            String line = text.strip();
            if (line.isEmpty() || isComment(line)) {
                continue;
            }
            try {
                reader.onLine(line);
            } catch (IllegalArgumentException e) {
                throw new TraceFormatException(
                        input.file() + ", line " + number + ": '" + shown(line) + "' is not " + e.getMessage());
            }
        }
    }

    private static String shown(String line) {
        String printable = line.replaceAll("[^ -~]", "?");
        return printable.length() <= SHOWN_OF_A_LINE ? printable : printable.substring(0, SHOWN_OF_A_LINE) + "…";
    }

    static long unsigned(String text, String what) {
        try {
            if (!text.startsWith("+")) {
                return Long.parseUnsignedLong(text);
            }
        } catch (NumberFormatException e) {
            // below
        }
        throw new IllegalArgumentException(what);
    }

    void eachRecord(TraceInput input, Consumer<ByteBuffer> records) throws IOException {
        byte[] one = new byte[recordBytes];
        for (long count = 0; ; count++) {
            int read = input.bytes().readNBytes(one, 0, recordBytes);
            if (read == 0) {
                return;
            }
            if (read < recordBytes) {
                throw new TraceFormatException(input.file() + " is truncated: reference " + (count + 1) + " has " + read
                        + " of " + recordBytes + " bytes");
            }
            records.accept(ByteBuffer.wrap(one));
        }
    }

    /**
     * A trace whose bytes are unpacked, ready for the reader of a format.
     *
     * @param file its name in messages
     * @param charset of text
     * @param column of CSV; null for the usual one
     */
    record TraceInput(String file, InputStream bytes, Charset charset, String column) {}

    /** A trace has a wrong form; the message names the file and the place in it. */
    static final class TraceFormatException extends IOException {
        private static final long serialVersionUID = 1;

        TraceFormatException(String message) {
            super(message);
        }
    }

    /** The lines of a CSV trace: the first is the head line. Not thread-safe. */
    static final class CsvTrace {
        private static final String PAGE_COLUMN = "lbn";
        private static final String OPERATION_COLUMN = "op";
        private static final Set<String> WRITES = Set.of("w", "write");

        private final References references;
        private final String column;
        private int columns;
        private int pageColumn;
        /** Negative if there is none. */
        private int operationColumn = -1;

        /** Of the column with this name or number, which has the pages; null for the usual one. */
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
                    TraceFormat.unsigned(
                            cells.get(pageColumn), "a line with a page number in column " + (pageColumn + 1)),
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
}
