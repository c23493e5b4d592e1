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
import java.util.List;
import java.util.Locale;
import java.util.zip.GZIPInputStream;
import org.tukaani.xz.XZInputStream;

/** A trace as it lies on the disk, or comes through a pipe: packed or not, in one of the formats. */
final class TraceFile {
    /** Names standard input. */
    static final String STANDARD_INPUT = "-";

    /** The bytes of a file that are read to detect its format: enough for any comment at its beginning. */
    private static final int HEAD_BYTES = 1 << 16;

    private TraceFile() {}

    /** Hands over reference by reference; the parameters are those of {@link Trace#read}. */
    static TraceForm read(Path file, TraceFormat format, String column, TraceFormat.References references)
            throws IOException {
        try (InputStream raw = new BufferedInputStream(open(file), Packing.BUFFER_BYTES);
                InputStream plain = Packing.unpacked(file.toString(), head(raw), raw)) {
            TraceHead head = TraceHead.of(head(plain));
            TraceForm form = form(file, format, head);
            if (form.format().isText()) {
                plain.skipNBytes(head.markBytes());
            }
            form.format().read(new TraceInput(file.toString(), plain, head.charset(), column), references);
            return form;
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

    private static TraceForm form(Path file, TraceFormat stated, TraceHead head) throws IOException {
        if (stated != null) {
            return new TraceForm(stated, Evidence.OPTION);
        }
        String name = file.getFileName().toString().toLowerCase(Locale.ROOT).replaceAll(Packing.ENDINGS, "");
        for (TraceFormat format : TraceFormat.values()) {
            if (format.isNamed(name)) {
                requireMatch(file, format, head);
                return new TraceForm(format, Evidence.NAME);
            }
        }
        return new TraceForm(ofContent(file, head), Evidence.CONTENT);
    }

    /** Not through a channel, which asks for positions, and pipes have none. */
    private static InputStream open(Path file) throws IOException {
        if (file.toString().equals(STANDARD_INPUT)) {
            return new Unclosed(System.in);
        }
        if (Files.isDirectory(file)) {
            throw new IOException("it is a directory");
        }
        if (!Files.exists(file)) {
            throw new NoSuchFileException(file.toString());
        }
        return new FileInputStream(file.toFile());
    }

    /** The first bytes, which are read again afterwards. */
    private static byte[] head(InputStream stream) throws IOException {
        stream.mark(HEAD_BYTES);
        byte[] head = stream.readNBytes(HEAD_BYTES);
        stream.reset();
        return head;
    }

    /** Refuses a name that does not fit the content: it would be read without an error, but as other references. */
    private static void requireMatch(Path file, TraceFormat named, TraceHead head) throws IOException {
        if (named.isText() && !head.isText()) {
            throw noText(file);
        }
        if (!named.isText() && head.isText() && !head.text().isEmpty()) {
            throw new TraceFormatException(file + " is text, though its name says " + named.label()
                    + ", a binary format; state the format by --format");
        }
    }

    /** One of the formats of text; a binary one is never assumed. */
    private static TraceFormat ofContent(Path file, TraceHead head) throws IOException {
        if (!head.isText()) {
            throw noText(file);
        }
        String first = head.firstLine();
        if (first.contains(",")) {
            return TraceFormat.LIBCACHESIM_CSV;
        }
        boolean isPage = first.split("\\s+", -1).length == 1 || TraceFormat.isMarkedPage(first);
        return isPage ? TraceFormat.LIRS : TraceFormat.ARC;
    }

    private static IOException noText(Path file) {
        return new TraceFormatException(
                file + " is no text, and a binary format is never assumed; say by --format whether it is "
                        + String.join(", ", TraceFormat.binaryLabels()));
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
     */
    record TraceHead(Charset charset, int markBytes, String text) {
        /** Two bytes a letter are taken for text only if its first letters are ASCII: most binary data decode, too. */
        private static final int ASCII_LETTERS = 16;

        private static final int LAST_ASCII = 0x7f;

        static TraceHead of(byte[] bytes) {
            for (Charset charset :
                    List.of(StandardCharsets.UTF_8, StandardCharsets.UTF_16LE, StandardCharsets.UTF_16BE)) {
                byte[] mark = "\ufeff".getBytes(charset);
                if (Arrays.mismatch(bytes, mark) == mark.length || Arrays.equals(bytes, mark)) {
                    return decoded(bytes, mark.length, charset);
                }
            }
            return decoded(bytes, 0, StandardCharsets.UTF_8);
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
            return new TraceHead(charset, markBytes, isText ? text : null);
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
    }

    /** How a trace is packed, which its first bytes tell. */
    private enum Packing {
        GZIP(".gz", null, 0x1f, 0x8b),
        XZ(".xz", null, 0xfd, '7', 'z', 'X', 'Z', 0),
        ZSTD(".zst", null, 0x28, 0xb5, 0x2f, 0xfd),
        BZIP2(".bz2", "bzcat", 'B', 'Z', 'h'),
        ZIP(".zip", "unzip -p", 'P', 'K', 3, 4),
        LZ4(".lz4", "lz4cat", 0x04, 0x22, 0x4d, 0x18),
        SEVEN_ZIP(".7z", "7z x -so", '7', 'z', 0xbc, 0xaf, 0x27, 0x1c);

        private static final int BUFFER_BYTES = 1 << 16;

        /** As patterns have it. */
        private static final String ENDINGS = "\\.(gz|xz|zst)$";

        private final String ending;
        private final String program;
        private final String begin;

        /**
         * Makes one.
         *
         * @param ending of names
         * @param program that unpacks it; null if this one can
         * @param begin its first bytes
         */
        Packing(String ending, String program, int... begin) {
            this.ending = ending;
            this.program = program;
            this.begin = new String(begin, 0, begin.length);
        }

        /** A stream whose beginning can be read twice. Depends on the content; the name must not say otherwise. */
        static InputStream unpacked(String file, byte[] head, InputStream packed) throws IOException {
            String start = new String(head, StandardCharsets.ISO_8859_1);
            for (Packing packing : values()) {
                if (start.startsWith(packing.begin)) {
                    return new BufferedInputStream(packing.unpacked(file, packed), BUFFER_BYTES);
                }
            }
            if (Arrays.stream(values())
                    .anyMatch(packing -> file.toLowerCase(Locale.ROOT).endsWith(packing.ending))) {
                throw new TraceFormatException(file + " is no archive of the kind that its name says");
            }
            return packed;
        }

        private InputStream unpacked(String file, InputStream packed) throws IOException {
            return switch (this) {
                case GZIP -> new Gzip(packed);
                case XZ -> new XZInputStream(packed);
                case ZSTD -> new ZstdInputStream(packed);
                default ->
                    throw new TraceFormatException(file + " is packed with "
                            + (this == SEVEN_ZIP ? "7-Zip" : name().toLowerCase(Locale.ROOT))
                            + ", which is not unpacked here; try: " + program + " " + file
                            + " | workbench simulate --trace - …");
            };
        }
    }

    /**
     * The class of the JDK takes what follows a part of an archive and is none itself, such as half the head of one,
     * for the end.
     */
    private static final class Gzip extends GZIPInputStream {
        private static final int TRAILER_BYTES = 8;

        Gzip(InputStream packed) throws IOException {
            super(packed, Packing.BUFFER_BYTES);
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            int count = super.read(target, offset, length);
            if (count < 0 && (inf.getRemaining() > TRAILER_BYTES || in.read() >= 0)) {
                throw new EOFException();
            }
            return count;
        }
    }
}
