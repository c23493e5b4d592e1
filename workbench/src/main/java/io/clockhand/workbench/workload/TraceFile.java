// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.workload;

import com.github.luben.zstd.ZstdInputStream;
import io.clockhand.workbench.workload.TraceForm.Evidence;
import io.clockhand.workbench.workload.TraceFormat.TraceFormatException;
import io.clockhand.workbench.workload.TraceFormat.TraceInput;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.FileInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.zip.GZIPInputStream;
import org.tukaani.xz.XZInputStream;

/** A trace as it lies on the disk, or comes through a pipe: packed or not, in one of the formats. */
final class TraceFile {
    /** Names standard input. */
    static final String STANDARD_INPUT = "-";

    /** The bytes of a file that are read to detect its format: enough for any comment at its beginning. */
    private static final int HEAD_BYTES = 1 << 16;

    private static final long UNKNOWN_SIZE = -1;

    private TraceFile() {}

    /** Hands over reference by reference. */
    static TraceForm read(Path file, TraceReading reading, TraceFormat.References references) throws IOException {
        try (InputStream raw = open(file, reading.listener())) {
            Packing packing = Packing.of(file.toString(), head(raw));
            try (InputStream plain = packing.unpacked(file.toString(), raw)) {
                TraceForm form = unpacked(file, reading, plain, packing, references);
                if (plain instanceof Packing.Gzip gzip) {
                    gzip.requireEnd(file.toString());
                }
                return form;
            }
        } catch (EOFException e) {
            throw new IOException(file + " is truncated: the archive ends in the middle", e);
        } catch (TraceFormatException e) {
            throw e;
        } catch (NoSuchFileException e) {
            throw new IOException("there is no trace " + file, e);
        } catch (IOException e) {
            throw new IOException(file + " cannot be read: " + e.getMessage(), e);
        }
    }

    private static TraceForm unpacked(
            Path file, TraceReading reading, InputStream plain, Packing packing, TraceFormat.References references)
            throws IOException {
        TraceHead head = TraceHead.of(head(plain));
        String name = file.getFileName().toString().toLowerCase(Locale.ROOT).replaceAll(Packing.ENDINGS, "");
        TraceFormat named = named(name);
        TraceFormat format = reading.format();
        if (format == null) {
            format = named != null ? matching(file, named, head) : ofContent(file, head);
        }
        if (format.isText()) {
            plain.skipNBytes(head.markBytes());
        }
        format.read(new TraceInput(file.toString(), plain, head.charset(), reading.column()), references);
        Evidence evidence =
                reading.format() != null ? Evidence.OPTION : named != null ? Evidence.NAME : Evidence.CONTENT;
        return new TraceForm(
                format,
                evidence,
                format.isText() ? head.charset().name() : null,
                packing == Packing.NONE ? null : packing.label());
    }

    /** Not through a channel, which asks for positions, and pipes have none. */
    private static InputStream open(Path file, TraceReading.Listener listener) throws IOException {
        if (file.toString().equals(STANDARD_INPUT)) {
            return buffered(new Unclosed(System.in), UNKNOWN_SIZE, listener);
        }
        if (Files.isDirectory(file)) {
            throw new IOException("it is a directory");
        }
        if (!Files.exists(file)) {
            throw new NoSuchFileException(file.toString());
        }
        long size = Files.isRegularFile(file) ? Files.size(file) : UNKNOWN_SIZE;
        return buffered(new FileInputStream(file.toFile()), size, listener);
    }

    private static InputStream buffered(InputStream stream, long size, TraceReading.Listener listener) {
        return new BufferedInputStream(new Observed(stream, size, listener), Packing.BUFFER_BYTES);
    }

    /** The first bytes, which are read again afterwards. */
    private static byte[] head(InputStream stream) throws IOException {
        stream.mark(HEAD_BYTES);
        byte[] head = stream.readNBytes(HEAD_BYTES);
        stream.reset();
        return head;
    }

    private static TraceFormat named(String name) {
        for (TraceFormat format : TraceFormat.values()) {
            if (format.isNamed(name)) {
                return format;
            }
        }
        return null;
    }

    /** Refuses a name that does not fit the content: it would be read without an error, but as other references. */
    private static TraceFormat matching(Path file, TraceFormat named, TraceHead head) throws IOException {
        if (named.isText() && !head.isText()) {
            throw noText(file, head);
        }
        if (!named.isText() && head.isText() && !head.text().isEmpty()) {
            throw new TraceFormatException(file + " is text, though its name says " + named.label()
                    + ", a binary format; state the format by --format");
        }
        return named;
    }

    /** One of the formats of text; a binary one is never assumed. */
    private static TraceFormat ofContent(Path file, TraceHead head) throws IOException {
        if (!head.isText()) {
            throw noText(file, head);
        }
        String first = head.firstLine();
        if (first.contains(",")) {
            return TraceFormat.LIBCACHESIM_CSV;
        }
        boolean isPage = first.split("\\s+", -1).length == 1 || TraceFormat.isMarkedPage(first);
        return isPage ? TraceFormat.LIRS : TraceFormat.ARC;
    }

    private static IOException noText(Path file, TraceHead head) {
        return new TraceFormatException(
                head.isUnmarkedUtf16()
                        ? file + " seems to be UTF-16 text without a byte-order mark; convert it to UTF-8 first"
                        : file + " is no text, and a binary format is never assumed; say by --format whether it is "
                                + String.join(", ", TraceFormat.binaryLabels()));
    }

    /** Notifies a listener of what is read. */
    private static final class Observed extends FilterInputStream {
        private final long size;
        private final TraceReading.Listener listener;
        private long bytes;

        Observed(InputStream in, long size, TraceReading.Listener listener) {
            super(in);
            this.size = size;
            this.listener = listener;
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            int count = super.read(target, offset, length);
            bytes += Math.max(count, 0);
            listener.onRead(bytes, size);
            return count;
        }
    }

    /** A stream that others read on. */
    private static final class Unclosed extends FilterInputStream {
        Unclosed(InputStream in) {
            super(in);
        }

        @Override
        public void close() {
            // it belongs to the process
        }
    }

    /**
     * The first bytes of an unpacked trace: whether they are text, and in which encoding.
     *
     * @param charset of text: that of its byte-order mark, else UTF-8
     * @param markBytes the length of the byte-order mark
     * @param text without the mark; null if the bytes are no text
     * @param isUnmarkedUtf16 whether each second byte is 0 and the others are ASCII: UTF-16 without a mark
     */
    record TraceHead(Charset charset, int markBytes, String text, boolean isUnmarkedUtf16) {
        private static final byte[] UTF_8_MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};
        private static final byte[] UTF_16LE_MARK = {(byte) 0xff, (byte) 0xfe};
        private static final byte[] UTF_16BE_MARK = {(byte) 0xfe, (byte) 0xff};

        /** Two bytes a letter are taken for text only if its first letters are ASCII: most binary data decode, too. */
        private static final int ASCII_LETTERS = 16;

        private static final int LAST_ASCII = 0x7f;

        static TraceHead of(byte[] bytes) {
            if (startsWith(bytes, UTF_8_MARK)) {
                return decoded(bytes, UTF_8_MARK.length, StandardCharsets.UTF_8);
            }
            if (startsWith(bytes, UTF_16LE_MARK)) {
                return decoded(bytes, UTF_16LE_MARK.length, StandardCharsets.UTF_16LE);
            }
            if (startsWith(bytes, UTF_16BE_MARK)) {
                return decoded(bytes, UTF_16BE_MARK.length, StandardCharsets.UTF_16BE);
            }
            return decoded(bytes, 0, StandardCharsets.UTF_8);
        }

        private static boolean startsWith(byte[] bytes, byte[] prefix) {
            return bytes.length >= prefix.length && Arrays.equals(bytes, 0, prefix.length, prefix, 0, prefix.length);
        }

        private static TraceHead decoded(byte[] bytes, int markBytes, Charset charset) {
            CharBuffer letters = CharBuffer.allocate(bytes.length);
            boolean isMalformed = charset.newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT)
                    .decode(ByteBuffer.wrap(bytes, markBytes, bytes.length - markBytes), letters, false)
                    .isError();
            String text = letters.flip().toString();
            boolean isText = !isMalformed
                    && text.chars().noneMatch(c -> Character.isISOControl(c) && !Character.isWhitespace(c))
                    && (charset.equals(StandardCharsets.UTF_8)
                            || text.chars().limit(ASCII_LETTERS).allMatch(c -> c <= LAST_ASCII));
            return new TraceHead(
                    charset, markBytes, isText ? text : null, alternates(bytes, 0) || alternates(bytes, 1));
        }

        boolean isText() {
            return text != null;
        }

        /** The first line that is neither empty nor a comment; empty if there is none. */
        String firstLine() {
            return text.lines()
                    .map(String::strip)
                    .filter(line -> !line.isEmpty() && !TraceFormat.isComment(line))
                    .findFirst()
                    .orElse("");
        }

        private static boolean alternates(byte[] bytes, int letterAt) {
            int checked = Math.min(bytes.length & ~1, 2 * ASCII_LETTERS);
            for (int i = 0; i < checked; i += 2) {
                int letter = bytes[i + letterAt];
                if (bytes[i + 1 - letterAt] != 0 || letter <= 0 || (letter < ' ' && !Character.isWhitespace(letter))) {
                    return false;
                }
            }
            return checked > 0;
        }
    }

    /** How a trace is packed, which its first bytes tell. */
    enum Packing {
        NONE(null, null),
        GZIP(".gz", null, 0x1f, 0x8b) {
            @Override
            InputStream unpacked(String file, InputStream packed) throws IOException {
                return new Gzip(packed);
            }
        },
        XZ(".xz", null, 0xfd, '7', 'z', 'X', 'Z', 0) {
            @Override
            InputStream unpacked(String file, InputStream packed) throws IOException {
                return new BufferedInputStream(new XZInputStream(packed), BUFFER_BYTES);
            }
        },
        ZSTD(".zst", null, 0x28, 0xb5, 0x2f, 0xfd) {
            @Override
            InputStream unpacked(String file, InputStream packed) throws IOException {
                return new BufferedInputStream(new ZstdInputStream(packed), BUFFER_BYTES);
            }
        },
        BZIP2(".bz2", "bzcat", 'B', 'Z', 'h'),
        ZIP(".zip", "unzip -p", 'P', 'K', 3, 4),
        LZ4(".lz4", "lz4cat", 0x04, 0x22, 0x4d, 0x18),
        SEVEN_ZIP(".7z", "7z x -so", '7', 'z', 0xbc, 0xaf, 0x27, 0x1c);

        static final int BUFFER_BYTES = 1 << 16;

        /** As patterns have it. */
        static final String ENDINGS = "\\.(gz|xz|zst)$";

        private final String ending;
        private final String program;
        private final String begin;

        /**
         * Makes one.
         *
         * @param ending of names; null for none
         * @param program that unpacks it; null if this one can
         * @param begin its first bytes
         */
        Packing(String ending, String program, int... begin) {
            this.ending = ending;
            this.program = program;
            this.begin = new String(begin, 0, begin.length);
        }

        /** Depends on the content, not on the name. */
        static Packing of(String file, byte[] head) throws IOException {
            String start = new String(head, StandardCharsets.ISO_8859_1);
            Packing found = Arrays.stream(values())
                    .filter(packing -> packing != NONE && start.startsWith(packing.begin))
                    .findFirst()
                    .orElse(NONE);
            if (found.program != null) {
                throw new TraceFormatException(
                        file + " is packed with " + found.label() + ", which is not unpacked here;" + " try: "
                                + found.program + " " + file + " | workbench simulate --trace - …");
            }
            if (found == NONE && Arrays.stream(values()).anyMatch(packing -> packing.names(file))) {
                throw new TraceFormatException(file + " is no archive of the kind that its name says");
            }
            return found;
        }

        private boolean names(String file) {
            return ending != null && file.toLowerCase(Locale.ROOT).endsWith(ending);
        }

        /** Throws if it is no such archive. */
        InputStream unpacked(String file, InputStream packed) throws IOException {
            return packed;
        }

        String label() {
            return this == SEVEN_ZIP ? "7-Zip" : name().toLowerCase(Locale.ROOT);
        }

        /** Of a buffered stream, so that its head can be read twice; and the one it is buffered for. */
        static final class Gzip extends BufferedInputStream {
            private final Members members;

            Gzip(InputStream packed) throws IOException {
                this(new Members(packed));
            }

            private Gzip(Members members) {
                super(members, BUFFER_BYTES);
                this.members = members;
            }

            void requireEnd(String file) throws IOException {
                if (members.bytesLeft() > 0) {
                    throw new TraceFormatException(file + " is truncated or damaged: the data after its first "
                            + members.unpackedBytes() + " bytes, unpacked, is no archive");
                }
            }
        }

        /**
         * The class of the JDK takes what follows a member and is no member itself, such as half the head of one, for
         * the end.
         */
        private static final class Members extends GZIPInputStream {
            private static final int TRAILER_BYTES = 8;
            private long unpackedBytes;

            Members(InputStream packed) throws IOException {
                super(packed, BUFFER_BYTES);
            }

            @Override
            public int read(byte[] target, int offset, int length) throws IOException {
                int count = super.read(target, offset, length);
                unpackedBytes += Math.max(count, 0);
                return count;
            }

            int bytesLeft() throws IOException {
                return Math.max(inf.getRemaining() - TRAILER_BYTES, 0) + (in.read() < 0 ? 0 : 1);
            }

            long unpackedBytes() {
                return unpackedBytes;
            }
        }
    }
}
