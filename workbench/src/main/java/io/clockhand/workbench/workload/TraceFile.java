// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.workload;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.zip.GZIPInputStream;
import org.tukaani.xz.XZInputStream;

/** A trace as it lies on the disk: packed or not, in one of the formats. */
final class TraceFile {
    private static final int BUFFER_BYTES = 1 << 16;
    /** The bytes of a file that are read to detect its format. */
    private static final int HEAD_BYTES = 512;

    private static final byte[] GZIP = {0x1f, (byte) 0x8b};
    private static final byte[] XZ = {(byte) 0xfd, '7', 'z', 'X', 'Z', 0};

    private TraceFile() {}

    /** Hands over reference by reference. */
    static void read(Path file, TraceFormat format, TraceFormat.References references) throws IOException {
        try (InputStream raw = open(file);
                InputStream plain = unpacked(file, raw)) {
            TraceFormat known = format != null ? format : formatOf(file, head(plain));
            known.read(file.toString(), plain, references);
            if (plain instanceof Gzip gzip) {
                gzip.requireEnd(file);
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

    private static InputStream open(Path file) throws IOException {
        if (Files.isDirectory(file)) {
            throw new IOException("it is a directory");
        }
        return new BufferedInputStream(Files.newInputStream(file), BUFFER_BYTES);
    }

    /** Depends on the content, not on the name. */
    private static InputStream unpacked(Path file, InputStream raw) throws IOException {
        String head = head(raw);
        if (head.startsWith(new String(GZIP, StandardCharsets.ISO_8859_1))) {
            return new Gzip(raw);
        }
        if (head.startsWith(new String(XZ, StandardCharsets.ISO_8859_1))) {
            return new BufferedInputStream(new XZInputStream(raw), BUFFER_BYTES);
        }
        String name = file.getFileName().toString();
        if (name.endsWith(".gz") || name.endsWith(".xz")) {
            throw new TraceFormatException(file + " is no archive of the kind that its name says");
        }
        return raw;
    }

    /** The first bytes, as Latin 1, which are read again afterwards. */
    private static String head(InputStream stream) throws IOException {
        stream.mark(HEAD_BYTES);
        String head = new String(stream.readNBytes(HEAD_BYTES), StandardCharsets.ISO_8859_1);
        stream.reset();
        return head;
    }

    private static TraceFormat formatOf(Path file, String head) throws IOException {
        String name = file.getFileName().toString().toLowerCase(Locale.ROOT).replaceAll("\\.(gz|xz)$", "");
        for (TraceFormat format : TraceFormat.values()) {
            if (format.ending() != null && name.endsWith(format.ending())) {
                return format;
            }
        }
        if (head.chars().allMatch(c -> (c >= ' ' && c <= '~') || Character.isWhitespace(c))) {
            String first = head.strip().lines().findFirst().orElse("");
            if (first.contains(",")) {
                return TraceFormat.LIBCACHESIM_CSV;
            }
            boolean isPage = first.split("\\s+", -1).length == 1 || TraceFormat.isMarkedPage(first);
            return isPage ? TraceFormat.LIRS : TraceFormat.ARC;
        }
        if (name.endsWith(".trace")) {
            return TraceFormat.CACHE2K;
        }
        throw new TraceFormatException(
                file + " is no text; say by --format whether it is cache2k, u32be, u64be," + " rw32be or rw64be");
    }

    /** Of a buffered stream, so that its head can be read twice; and the one it is buffered for. */
    private static final class Gzip extends BufferedInputStream {
        private final Members members;

        Gzip(InputStream packed) throws IOException {
            this(new Members(packed));
        }

        private Gzip(Members members) {
            super(members, BUFFER_BYTES);
            this.members = members;
        }

        void requireEnd(Path file) throws IOException {
            if (members.bytesLeft() > 0) {
                throw new TraceFormatException(file + " is truncated or damaged: the data after its first "
                        + members.unpackedBytes() + " bytes, unpacked, is no archive");
            }
        }
    }

    /**
     * The class of the JDK takes what follows a member and is no member itself, such as half the head of one, for the
     * end.
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
