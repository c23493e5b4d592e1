// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.workload;

import io.clockhand.workbench.workload.TraceForm.Evidence;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.FileInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;

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
}
