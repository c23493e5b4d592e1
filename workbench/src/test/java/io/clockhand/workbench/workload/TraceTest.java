// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import io.clockhand.workbench.workload.Trace.PageNumbers;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.XZOutputStream;

class TraceTest {
    @TempDir
    private Path directory;

    private Path file(String name, byte[] content) throws IOException {
        return Files.write(directory.resolve(name), content);
    }

    private Path file(String name, String content) throws IOException {
        return file(name, content.getBytes(StandardCharsets.US_ASCII));
    }

    /** Without marks. */
    static int[] keys(Trace trace) {
        return marked(trace.withoutWrites());
    }

    /** The complement of the key of a write. */
    static int[] marked(Trace trace) {
        int[] keys = new int[trace.length()];
        Workload.References references = trace.workload().references(0, 1);
        Arrays.setAll(keys, i -> references.next());
        return keys;
    }

    static int[] read(Path file, TraceFormat format) throws IOException {
        return keys(Trace.read(file, format));
    }

    static byte[] gzip(byte[] content) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(packed)) {
            out.write(content);
        }
        return packed.toByteArray();
    }

    private static byte[] xz(byte[] content) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (OutputStream out = new XZOutputStream(packed, new LZMA2Options(0))) {
            out.write(content);
        }
        return packed.toByteArray();
    }

    static byte[] joined(byte[] first, byte[] second) {
        return ByteBuffer.allocate(first.length + second.length)
                .put(first)
                .put(second)
                .array();
    }

    /** Numbers that do not pack well, so an archive of them can be truncated at many places. */
    static byte[] lines(int count) {
        SplittableRandom random = new SplittableRandom(5);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            text.append(random.nextInt(1_000_000)).append('\n');
        }
        return text.toString().getBytes(StandardCharsets.US_ASCII);
    }

    @Test
    void lirsTraceHasAPageALine() throws IOException {
        Path file = file("a.trace", "7\n\n*\r\n3\r\n7\n  9 \n");

        assertThat(read(file, TraceFormat.LIRS)).containsExactly(0, 1, 0, 2);
        assertThat(read(file, null)).containsExactly(0, 1, 0, 2);
        assertThat(Trace.read(file, null).pages()).isEqualTo(3);
    }

    @Test
    void arcTraceHasConsecutivePagesALine() throws IOException {
        Path file = file("a.lis", "100 3 0 0\n102 2 0 1\n");

        assertThat(read(file, null)).containsExactly(0, 1, 2, 2, 3);
        assertThat(read(file("noname", "100 3 0 0\n"), null)).containsExactly(0, 1, 2);
    }

    @Test
    void csvTraceHasItsPagesInTheColumnOfTheHeadLine() throws IOException {
        Path file = file("a.csv", "version,time,op,size,lbn\n1,99,2a,512,42\n1,98,28,512,43\n1,99,2a,4096,42\n");

        assertThat(read(file, null)).containsExactly(0, 1, 0);
        assertThat(read(file("a.txt", "lbn,op\n5,r\n6,w\n"), null)).containsExactly(0, 1);
    }

    @Test
    void lineOfTextMayBeMarkedAsAWrite() throws IOException {
        Path lirs = file("a", "7 w\r\n*\n3\n7 r\n3\tw\n");
        Path arc = file("a.lis", "100 2 0 0 w\n101 2 0 1\n101 1 0 2 r\n");
        Path csv = file("a.csv", "op,lbn\nr,5\nWrite,6\n w ,5\n2a,7\n");

        assertThat(marked(Trace.read(lirs, null))).containsExactly(~0, 1, 0, ~1);
        assertThat(keys(Trace.read(lirs, null))).containsExactly(0, 1, 0, 1);
        assertThat(marked(Trace.read(arc, null))).containsExactly(~0, ~1, 1, 2, 1);
        assertThat(marked(Trace.read(csv, null))).containsExactly(0, ~1, ~0, 2);
        assertThat(Trace.read(csv, null).writes()).isEqualTo(2);
        assertThat(Trace.read(csv, null).withoutWrites().writes()).isZero();
    }

    @Test
    void binaryReferencesMayHaveTheirHighestBitSetForAWrite() throws IOException {
        byte[] ints = ByteBuffer.allocate(12)
                .putInt(7)
                .putInt(7 | Integer.MIN_VALUE)
                .putInt(-1)
                .array();
        byte[] longs = ByteBuffer.allocate(24)
                .putLong(1L << 40)
                .putLong(Long.MIN_VALUE)
                .putLong(1L << 40 | Long.MIN_VALUE)
                .array();

        assertThat(marked(Trace.read(file("a.rw32be", ints), null))).containsExactly(0, ~0, ~1);
        assertThat(marked(Trace.read(file("b", longs), TraceFormat.RW64BE))).containsExactly(0, ~1, ~0);
    }

    @Test
    void binaryTracesHaveBigEndianNumbersThatMayBeWide() throws IOException {
        byte[] ints = ByteBuffer.allocate(16)
                .putInt(-1)
                .putInt(7)
                .putInt(0)
                .putInt(-1)
                .array();
        byte[] longs = ByteBuffer.allocate(32)
                .putLong(-1)
                .putLong(1L << 40)
                .putLong(0)
                .putLong(1L << 40)
                .array();

        assertThat(read(file("a.u32be", ints), null)).containsExactly(0, 1, 2, 0);
        assertThat(read(file("b", ints), TraceFormat.CACHE2K)).containsExactly(0, 1, 2, 0);
        assertThat(read(file("a.u64be", longs), null)).containsExactly(0, 1, 2, 1);
    }

    @Test
    void csvMayBeQuotedAndItsColumnChosen() throws IOException {
        Path file = file("a.csv", "\"time\",\"the \"\"page\"\", or id\",op\n1,\"5\",w\n2,6,r\n3,5,r\n");
        Path headless = file("b.csv", "1,5\n2,6\n3,5\n");

        assertThat(marked(byColumn(file, "the \"page\", or id"))).containsExactly(~0, 1, 0);
        assertThat(marked(byColumn(file, "2"))).containsExactly(~0, 1, 0);
        assertThat(keys(byColumn(headless, "2"))).containsExactly(0, 1, 0);
        assertThatThrownBy(() -> byColumn(file, "4"))
                .hasMessageContaining("is not a head line with a column 4 (simulate --column names another");
        assertThatThrownBy(() -> Trace.read(file("c.csv", "lbn\n\"5\n"), null))
                .hasMessageContaining("line 2: '\"5' is not a line whose quotes are closed");
        assertThatThrownBy(() -> Trace.read(file("d.csv", "lbn,lbn\n5,5\n"), null))
                .hasMessageContaining("with only one column lbn");
    }

    private static Trace byColumn(Path file, String column) throws IOException {
        return Trace.read(file, null, column);
    }

    @Test
    void oracleGeneralTraceHasItsObjectsAsPages() throws IOException {
        ByteBuffer records = ByteBuffer.allocate(3 * 24).order(ByteOrder.LITTLE_ENDIAN);
        for (long object : new long[] {1L << 50, -7, 1L << 50}) {
            records.putInt(99).putLong(object).putInt(4096).putLong(-1);
        }

        assertThat(read(file("a.oracleGeneral.bin", records.array()), null)).containsExactly(0, 1, 0);
        assertThat(read(file("a.oracleGeneral.zst", Zstd.compress(records.array())), null))
                .containsExactly(0, 1, 0);
        assertThatThrownBy(() -> read(file("b", Arrays.copyOf(records.array(), 50)), TraceFormat.ORACLE_GENERAL))
                .hasMessageContaining("is truncated: reference 3 has 2 of 24 bytes");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            LIRS            | 1~2~x~          | line 3: 'x' is not a page number
            LIRS            | 1~-2~           | line 2: '-2' is not a page number
            LIRS            | 1~+2~           | line 2: '+2' is not a page number
            LIRS            | 1 2~            | line 1: '1 2' is not a page number
            LIRS            | 1 x~            | line 1: '1 x' is not a page number
            LIRS            | x w~            | line 1: 'x w' is not a page number
            ARC             | 1 1 0 0 x~      | line 1: '1 1 0 0 x' is not 'first-page count ignored request-number'
            LIRS            | 18446744073709551616~ | line 1: '18446744073709551616' is not a page number
            ARC             | 1 1 0 0~~2 1 0~ | line 3: '2 1 0' is not 'first-page count ignored request-number'
            ARC             | 1 0 0 0~        | line 1: '1 0 0 0' is not a request of 1 to
            ARC             | 1 x 0 0~        | line 1: '1 x 0 0' is not a count
            LIBCACHESIM_CSV | 1,2,3~          | line 1: '1,2,3' is not a head line with a column lbn
            LIBCACHESIM_CSV | op,lbn~r,1~r~   | line 3: 'r' is not a line of 2 columns
            LIBCACHESIM_CSV | op,lbn~r,z~     | line 2: 'r,z' is not a line with a page number in column 2
            """)
    void lineThatCannotBeReadIsNamedWithItsFile(TraceFormat format, String lines, String expected) throws IOException {
        Path file = file("bad", lines.replace('~', '\n'));

        assertThatThrownBy(() -> Trace.read(file, format)).hasMessageStartingWith(file + ", " + expected);
    }

    @Test
    void emptyAndMissingTracesAreErrors() throws IOException {
        Path empty = file("empty", "\n*\n");

        assertThatThrownBy(() -> Trace.read(empty, null)).hasMessage(empty + " holds no reference");
        assertThatThrownBy(() -> Trace.read(directory.resolve("none"), null))
                .hasMessageStartingWith("there is no trace");
        assertThatThrownBy(() -> Trace.read(directory, null)).hasMessageContaining("it is a directory");
    }

    @Test
    void packedTraceIsTheSame() throws IOException {
        byte[] lines = lines(5_000);
        int[] plain = read(file("a", lines), null);

        assertThat(plain).hasSize(5_000);
        assertThat(read(file("a.gz", gzip(lines)), null)).isEqualTo(plain);
        assertThat(read(file("a.xz", xz(lines)), null)).isEqualTo(plain);
        assertThat(read(file("a.zst", Zstd.compress(lines)), null)).isEqualTo(plain);
        assertThat(read(file("twice.zst", joined(Zstd.compress(lines), Zstd.compress(lines))), null))
                .hasSize(10_000);
        assertThat(read(file("a.trace.packed", xz(lines)), TraceFormat.LIRS)).isEqualTo(plain);
        assertThat(read(file("twice.gz", joined(gzip(lines), gzip(lines))), null))
                .hasSize(10_000);
    }

    @Test
    void archiveThatIsTruncatedAnywhereIsAnErrorAndNeverAShorterTrace() throws IOException {
        byte[] lines = lines(300);
        for (byte[] whole : List.of(gzip(lines), xz(lines), Zstd.compress(lines))) {
            for (int length = 0; length < whole.length; length++) {
                Path file = file("truncated.gz", Arrays.copyOf(whole, length));
                assertThatThrownBy(() -> Trace.read(file, TraceFormat.LIRS))
                        .as("%d of %d bytes", length, whole.length)
                        .isInstanceOf(IOException.class);
            }
        }
    }

    @Test
    void archiveWhoseSecondPartIsTruncatedAnywhereIsAnError() throws IOException {
        byte[] first = gzip(lines(300));
        byte[] both = joined(first, gzip(lines(20)));

        for (int length = first.length + 1; length < both.length; length++) {
            Path file = file("truncated.gz", Arrays.copyOf(both, length));
            assertThatThrownBy(() -> Trace.read(file, TraceFormat.LIRS))
                    .as("%d bytes after the first part", length - first.length)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("is truncated");
        }
    }

    @Test
    void archiveWithAWrongByteIsAnError() throws IOException {
        byte[] gz = gzip(lines(300));
        gz[gz.length / 2] ^= 1;
        Path file = file("wrong.gz", gz);

        assertThatThrownBy(() -> Trace.read(file, TraceFormat.LIRS)).hasMessageContaining(file.toString());
        Path none = file("none.gz", "1\n2\n");
        assertThatThrownBy(() -> Trace.read(none, null)).hasMessageContaining("is no archive of the kind");
    }

    @Test
    void writtenTraceIsReadWithTheSameNumbers() throws IOException {
        Trace trace = Trace.read(file("a", new String(lines(5_000), StandardCharsets.US_ASCII) + "5 w\n"), null);
        Path copy = directory.resolve("copy");
        trace.write(copy);

        Trace read = Trace.read(copy, TraceFormat.RW32BE);
        assertThat(marked(read)).isEqualTo(marked(trace));
        assertThat(read.writes()).isEqualTo(1);
        assertThat(read.pages()).isEqualTo(trace.pages());
    }

    @Test
    void pagesAreNumberedInTheOrderInWhichTheyFirstAppear() {
        PageNumbers numbers = new PageNumbers();
        SplittableRandom random = new SplittableRandom(3);
        long[] pages = random.longs(10_000).distinct().toArray();

        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < pages.length; i++) {
                assertThat(numbers.of(pages[i])).isEqualTo(i);
            }
        }
        assertThat(numbers.count()).isEqualTo(pages.length);
    }
}
