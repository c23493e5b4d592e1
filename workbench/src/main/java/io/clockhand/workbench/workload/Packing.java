// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.workload;

import com.github.luben.zstd.ZstdInputStream;
import io.clockhand.workbench.workload.TraceFormat.TraceFormatException;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.zip.GZIPInputStream;
import org.tukaani.xz.XZInputStream;

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
            throw new TraceFormatException(file + " is packed with " + found.label() + ", which is not unpacked here;"
                    + " try: " + found.program + " " + file + " | workbench simulate --trace - …");
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
