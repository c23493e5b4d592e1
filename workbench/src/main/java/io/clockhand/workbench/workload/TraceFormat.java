// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.workload;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.LongConsumer;

/**
 * How references are written in a file. Lines may end in CR LF; empty ones are skipped. In most formats a reference can
 * be marked as a write, which changes the page; without a mark it is a read.
 */
public enum TraceFormat {
    /**
     * Text, a page number a line, which {@code w} may follow for a write, or {@code r} for a read; a line that is
     * {@code *} is skipped.
     */
    LIRS(null) {
        @Override
        void read(String file, InputStream stream, References references) throws IOException {
            eachLine(file, stream, (line, number) -> {
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
        void read(String file, InputStream stream, References references) throws IOException {
            eachLine(file, stream, (line, number) -> {
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
    /**
     * Binary, a big-endian int for each reference; signed, which makes no difference to which references are to the
     * same page.
     */
    CACHE2K(null) {
        @Override
        void read(String file, InputStream stream, References references) throws IOException {
            eachNumber(file, stream, Integer.BYTES, page -> references.add(page, false));
        }
    },
    /** Binary, a big-endian int for each reference, unsigned. */
    U32BE(".u32be") {
        @Override
        void read(String file, InputStream stream, References references) throws IOException {
            eachNumber(file, stream, Integer.BYTES, page -> references.add(page, false));
        }
    },
    /** Binary, a big-endian long for each reference, unsigned. */
    U64BE(".u64be") {
        @Override
        void read(String file, InputStream stream, References references) throws IOException {
            eachNumber(file, stream, Long.BYTES, page -> references.add(page, false));
        }
    },
    /** Binary, a big-endian int for each reference: its highest bit is set for a write, the others are the page. */
    RW32BE(".rw32be") {
        @Override
        void read(String file, InputStream stream, References references) throws IOException {
            eachNumber(
                    file,
                    stream,
                    Integer.BYTES,
                    number -> references.add(number & Integer.MAX_VALUE, number > Integer.MAX_VALUE));
        }
    },
    /** Binary, a big-endian long for each reference: its highest bit is set for a write, the others are the page. */
    RW64BE(".rw64be") {
        @Override
        void read(String file, InputStream stream, References references) throws IOException {
            eachNumber(file, stream, Long.BYTES, number -> references.add(number & Long.MAX_VALUE, number < 0));
        }
    },
    /**
     * Text, comma-separated, with a head line {@code version,time,op,size,lbn} or another that has a column {@code
     * lbn}: the page. Marks are in the column {@code op}, if there is one: {@code w} or {@code write}, in small or
     * large letters, is a write; everything else is a read.
     */
    LIBCACHESIM_CSV(".csv") {
        @Override
        void read(String file, InputStream stream, References references) throws IOException {
            Csv csv = new Csv(references);
            eachLine(file, stream, csv::onLine);
        }
    };

    private static final int MOST_PAGES_OF_A_REQUEST = 1 << 20;
    private static final int SHOWN_OF_A_LINE = 40;
    private static final String WRITE = "w";
    private static final String READ = "r";

    private final String ending;

    TraceFormat(String ending) {
        this.ending = ending;
    }

    /** Receives what a trace refers to. */
    interface References {
        void add(long page, boolean isWrite);
    }

    abstract void read(String file, InputStream stream, References references) throws IOException;

    /** Whether a line of text is one of {@link #LIRS} with a mark, and none of {@link #ARC}. */
    static boolean isMarkedPage(String line) {
        String[] columns = line.split("\\s+", -1);
        return columns.length == 2 && isMark(columns[1]);
    }

    private static boolean isMark(String text) {
        return text.equals(WRITE) || text.equals(READ);
    }

    /** Names of files that end so are of this format; null if none need be. */
    String ending() {
        return ending;
    }

    /** As options name it. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    public static List<String> labels() {
        return Arrays.stream(values()).map(TraceFormat::label).toList();
    }

    /** One line, without space around it; an {@link IllegalArgumentException} names the expected form. */
    private interface LineReader {
        void onLine(String line, long number);
    }

    private static void eachLine(String file, InputStream stream, LineReader reader) throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(stream, StandardCharsets.ISO_8859_1));
        long number = 0;
        for (String text = lines.readLine(); text != null; text = lines.readLine()) {
            number++;
            String line = text.strip();
            if (line.isEmpty()) {
                continue;
            }
            try {
                reader.onLine(line, number);
            } catch (IllegalArgumentException e) {
                throw new TraceFormatException(
                        file + ", line " + number + ": '" + shown(line) + "' is not " + e.getMessage());
            }
        }
    }

    private static String shown(String line) {
        String printable = line.replaceAll("[^ -~]", "?");
        return printable.length() <= SHOWN_OF_A_LINE ? printable : printable.substring(0, SHOWN_OF_A_LINE) + "…";
    }

    private static long unsigned(String text, String what) {
        try {
            if (!text.startsWith("+")) {
                return Long.parseUnsignedLong(text);
            }
        } catch (NumberFormatException e) {
            // below
        }
        throw new IllegalArgumentException(what);
    }

    private static void eachNumber(String file, InputStream stream, int bytes, LongConsumer numbers)
            throws IOException {
        byte[] number = new byte[bytes];
        for (long count = 0; ; count++) {
            int read = stream.readNBytes(number, 0, bytes);
            if (read == 0) {
                return;
            }
            if (read < bytes) {
                throw new TraceFormatException(
                        file + " is truncated: reference " + (count + 1) + " has " + read + " of " + bytes + " bytes");
            }
            long value = 0;
            for (byte b : number) {
                value = (value << Byte.SIZE) | Byte.toUnsignedInt(b);
            }
            numbers.accept(value);
        }
    }

    private static final class Csv {
        private static final String PAGE_COLUMN = "lbn";
        private static final String OPERATION_COLUMN = "op";
        private static final Set<String> WRITES = Set.of("w", "write");
        private final References references;
        private int columns;
        private int pageColumn = -1;
        /** Negative if there is none. */
        private int operationColumn = -1;

        Csv(References references) {
            this.references = references;
        }

        void onLine(String line, long number) {
            String[] cells = line.split(",", -1);
            if (columns == 0) {
                columns = cells.length;
                pageColumn = Arrays.asList(cells).indexOf(PAGE_COLUMN);
                operationColumn = Arrays.asList(cells).indexOf(OPERATION_COLUMN);
                if (pageColumn < 0) {
                    throw new IllegalArgumentException("a head line with a column " + PAGE_COLUMN);
                }
                return;
            }
            if (cells.length != columns) {
                throw new IllegalArgumentException("a line of " + columns + " columns");
            }
            references.add(
                    unsigned(cells[pageColumn].strip(), "a line with a page number in column " + (pageColumn + 1)),
                    operationColumn >= 0
                            && WRITES.contains(cells[operationColumn].strip().toLowerCase(Locale.ROOT)));
        }
    }
}
