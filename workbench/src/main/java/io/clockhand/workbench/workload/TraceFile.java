// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.workload;

import com.github.luben.zstd.ZstdInputStream;
import io.clockhand.workbench.environment.CommandFailure;
import io.clockhand.workbench.workload.Trace.Form;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.tukaani.xz.XZInputStream;

/** A trace as it lies on the disk, or comes through a pipe: packed or not, in one of the formats. */
final class TraceFile {
    /** The bytes of a file that are read to detect its format: enough for any comment at its beginning. */
    private static final int HEAD_BYTES = 1 << 16;
    /** Two bytes a letter are taken for text only if its first letters are ASCII: most binary data decode, too. */
    private static final int ASCII_LETTERS = 16;

    /** By the first bytes of an archive that is not unpacked here: the program that unpacks it. */
    private static final Map<String, String> PROGRAMS =
            Map.of("BZh", "bzcat", "PK\3\4", "unzip -p", "\4\"M\30", "lz4cat", "7z\274\257'\34", "7z x -so");

    private static final String PACKED = ".*\\.(gz|xz|zst)";

    private TraceFile() {}

    /**
     * Hands over reference by reference; the parameters are those of {@link Trace#read}.
     *
     * @return how the trace was read
     */
    static Form read(Path file, TraceFormat format, String column, TraceFormat.References references) {
        try (InputStream raw = new BufferedInputStream(open(file), HEAD_BYTES);
                InputStream plain = new BufferedInputStream(unpacked(file, raw), HEAD_BYTES)) {
            byte[] head = head(plain);
            Charset charset = charset(head);
            Form form = form(file, format, text(head, charset));
            if (form.format().isText()) {
                form.format().readLines(file.toString(), plain, charset, column, references);
            } else {
                form.format().readRecords(file.toString(), plain, references);
            }
            return form;
        } catch (EOFException e) {
            throw new CommandFailure(file + " is truncated: the archive ends in the middle", e);
        } catch (IOException e) {
            throw new CommandFailure(file + " cannot be read: " + e.getMessage(), e);
        }
    }

    /** Not through a channel, which asks for positions, and pipes have none. */
    private static InputStream open(Path file) throws IOException {
        if (file.toString().equals("-")) {
            return System.in;
        }
        if (!Files.exists(file)) {
            throw new CommandFailure("there is no trace " + file);
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

    private static InputStream unpacked(Path file, InputStream packed) throws IOException {
        String head = new String(head(packed), StandardCharsets.ISO_8859_1);
        if (head.startsWith("\37\213")) {
            return new Gzip(packed);
        }
        if (head.startsWith("\3757zXZ\0")) {
            return new XZInputStream(packed);
        }
        if (head.startsWith("(\265/\375")) {
            return new ZstdInputStream(packed);
        }
        PROGRAMS.forEach((begin, program) -> {
            if (head.startsWith(begin)) {
                throw new CommandFailure(file + " is an archive that is not unpacked here; try: " + program + " " + file
                        + " | workbench simulate --trace - …");
            }
        });
        if (name(file).matches(PACKED)) {
            throw new CommandFailure(file + " is no archive of the kind that its name says");
        }
        return packed;
    }

    private static String name(Path file) {
        return file.getFileName().toString().toLowerCase(Locale.ROOT);
    }

    /**
     * The format, and why it is taken for that.
     *
     * @param text the beginning of the trace; null if it is no text
     */
    private static Form form(Path file, TraceFormat stated, String text) {
        if (stated != null) {
            return new Form(stated, "option");
        }
        String name = name(file).replaceFirst("\\.(gz|xz|zst)$", "");
        Form form = null;
        for (TraceFormat format : TraceFormat.values()) {
            form = format.isNamed(name) ? new Form(format, "name") : form;
        }
        if (text == null && (form == null || form.format().isText())) {
            throw new CommandFailure(
                    file + " is no text, and a binary format is never assumed; say by --format whether it is "
                            + String.join(", ", TraceFormat.labels(format -> !format.isText())));
        }
        if (text != null && !text.isEmpty() && form != null && !form.format().isText()) {
            throw new CommandFailure(file + " is text, though its name says "
                    + form.format().label() + ", a binary format; state the format by --format");
        }
        return form != null ? form : new Form(TraceFormat.ofText(firstLine(text)), "content");
    }

    /** That of the byte-order mark, else UTF-8. */
    private static Charset charset(byte[] head) {
        boolean isWide = head.length >= 2 && (head[0] & head[1] & 0xfe) == 0xfe && head[0] != head[1];
        return isWide ? StandardCharsets.UTF_16 : StandardCharsets.UTF_8;
    }

    /** Null if the bytes are no text. */
    private static String text(byte[] head, Charset charset) {
        String text = new String(head, charset);
        int malformed = text.indexOf('\ufffd');
        boolean isText = (malformed < 0 || malformed == text.length() - 1) // the last letter may go on after the head
                && text.chars().noneMatch(c -> Character.isISOControl(c) && !Character.isWhitespace(c))
                && (charset.equals(StandardCharsets.UTF_8)
                        || text.chars().limit(ASCII_LETTERS).allMatch(c -> c < 0x80));
        return isText ? text : null;
    }

    /** The first line that is neither empty nor a comment; empty if there is none. */
    private static String firstLine(String text) {
        return text.replace("\ufeff", "")
                .lines()
                .map(String::strip)
                .filter(line -> !TraceFormat.isSkipped(line))
                .findFirst()
                .orElse("");
    }

    /**
     * The class of the JDK takes what follows a part of an archive and is none itself, such as half the head of one,
     * for the end.
     */
    private static final class Gzip extends GZIPInputStream {
        private static final int TRAILER_BYTES = 8;

        Gzip(InputStream packed) throws IOException {
            super(packed, HEAD_BYTES);
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
