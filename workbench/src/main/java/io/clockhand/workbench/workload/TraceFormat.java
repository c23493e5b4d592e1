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
import java.util.function.LongConsumer;

/** How references are written in a file. Lines may end in CR LF; empty ones are skipped. */
public enum TraceFormat {
    /** Text, a page number a line; a line that is {@code *} is skipped. */
    LIRS(null) {
        @Override
        void read(String file, InputStream stream, LongConsumer pages) throws IOException {
            eachLine(file, stream, (line, number) -> {
                if (!line.equals("*")) {
                    pages.accept(unsigned(line, "a page number"));
                }
            });
        }
    },
    /** Text, four numbers a line: the first page, how many consecutive ones, one to ignore, and that of the request. */
    ARC(".lis") {
        @Override
        void read(String file, InputStream stream, LongConsumer pages) throws IOException {
            eachLine(file, stream, (line, number) -> {
                String[] columns = line.split("\\s+", -1);
                if (columns.length != 4) {
                    throw new IllegalArgumentException("'first-page count ignored request-number'");
                }
                long first = unsigned(columns[0], "a first page");
                long count = unsigned(columns[1], "a count");
                if (count < 1 || count > MOST_PAGES_OF_A_REQUEST) {
                    throw new IllegalArgumentException("a request of 1 to " + MOST_PAGES_OF_A_REQUEST + " pages");
                }
                unsigned(columns[3], "a request number");
                for (long i = 0; i < count; i++) {
                    pages.accept(first + i);
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
        void read(String file, InputStream stream, LongConsumer pages) throws IOException {
            eachNumber(file, stream, Integer.BYTES, pages);
        }
    },
    /** Binary, a big-endian int for each reference, unsigned. */
    U32BE(".u32be") {
        @Override
        void read(String file, InputStream stream, LongConsumer pages) throws IOException {
            eachNumber(file, stream, Integer.BYTES, pages);
        }
    },
    /** Binary, a big-endian long for each reference, unsigned. */
    U64BE(".u64be") {
        @Override
        void read(String file, InputStream stream, LongConsumer pages) throws IOException {
            eachNumber(file, stream, Long.BYTES, pages);
        }
    },
    /**
     * Text, comma-separated, with a head line {@code version,time,op,size,lbn} or another that has a column {@code
     * lbn}: the page.
     */
    LIBCACHESIM_CSV(".csv") {
        @Override
        void read(String file, InputStream stream, LongConsumer pages) throws IOException {
            Csv csv = new Csv(pages);
            eachLine(file, stream, csv::onLine);
        }
    };

    private static final int MOST_PAGES_OF_A_REQUEST = 1 << 20;
    private static final int SHOWN_OF_A_LINE = 40;

    private final String ending;

    TraceFormat(String ending) {
        this.ending = ending;
    }

    abstract void read(String file, InputStream stream, LongConsumer pages) throws IOException;

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
        private final LongConsumer pages;
        private int columns;
        private int pageColumn = -1;

        Csv(LongConsumer pages) {
            this.pages = pages;
        }

        void onLine(String line, long number) {
            String[] cells = line.split(",", -1);
            if (columns == 0) {
                columns = cells.length;
                pageColumn = Arrays.asList(cells).indexOf(PAGE_COLUMN);
                if (pageColumn < 0) {
                    throw new IllegalArgumentException("a head line with a column " + PAGE_COLUMN);
                }
                return;
            }
            if (cells.length != columns) {
                throw new IllegalArgumentException("a line of " + columns + " columns");
            }
            pages.accept(
                    unsigned(cells[pageColumn].strip(), "a line with a page number in column " + (pageColumn + 1)));
        }
    }
}
