// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.github.luben.zstd.Zstd;
import io.clockhand.workbench.environment.CommandFailure;
import io.clockhand.workbench.workload.Trace.PageNumbers;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.XZOutputStream;

class TraceTest {
    @TempDir
    private Path directory;

    private Path file(String name, byte[] content) throws IOException {
        return Files.write(directory.resolve(name), content);
    }

    private Path file(String name, String content) throws IOException {
        return Files.writeString(directory.resolve(name), content);
    }

    private static byte[] ints(int... numbers) {
        ByteBuffer bytes = ByteBuffer.allocate(Integer.BYTES * numbers.length);
        Arrays.stream(numbers).forEach(bytes::putInt);
        return bytes.array();
    }

    private static byte[] longs(long... numbers) {
        ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES * numbers.length);
        Arrays.stream(numbers).forEach(bytes::putLong);
        return bytes.array();
    }

    /** The keys of a trace; the complement of that of a write. */
    private static int[] keys(Trace trace) {
        int[] keys = new int[trace.length()];
        Workload.References references = trace.workload().references(0, 1);
        Arrays.setAll(keys, i -> references.next());
        return keys;
    }

    private static int[] read(Path file) {
        return read(file, null);
    }

    private static int[] read(Path file, TraceFormat format) {
        return keys(Trace.read(file, format));
    }

    private static byte[] gzip(byte[] content) throws IOException {
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

    private static byte[] joined(byte[] first, byte[] second) {
        return ByteBuffer.allocate(first.length + second.length)
                .put(first)
                .put(second)
                .array();
    }

    /** Numbers that do not pack well, so an archive of them can be truncated at many places. */
    private static byte[] lines(int count) {
        SplittableRandom random = new SplittableRandom(5);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            text.append(random.nextInt(1_000_000)).append('\n');
        }
        return text.toString().getBytes(StandardCharsets.US_ASCII);
    }

    // --- formats -----------------------------------------------------------------------------------------------------

    @Test
    void lineHasAPageThatMayBeMarkedAsAWrite() throws IOException {
        Path file = file("a", "7 w\r\n\n*\n3\n7 r\n 3\tw \n");
        Trace trace = Trace.read(file, null);

        assertThat(trace.form()).hasToString("lirs, by content");
        assertThat(keys(trace)).isEqualTo(read(file, TraceFormat.LIRS)).containsExactly(~0, 1, 0, ~1);
        assertThat(trace.writes()).isEqualTo(2);
        assertThat(trace.pages()).isEqualTo(2);
        assertThat(keys(trace.withoutWrites())).containsExactly(0, 1, 0, 1);
    }

    @Test
    void lineOfAnArcTraceHasConsecutivePages() throws IOException {
        Path named = file("a.lis", "100 2 0 0 w\n101 2 0 1\n101 1 0 2 r\n");
        Path unnamed = file("a", "100 3 0 0\n");

        assertThat(read(named)).containsExactly(~0, ~1, 1, 2, 1);
        assertThat(read(unnamed)).containsExactly(0, 1, 2);
        assertThat(Trace.read(named, null).form()).hasToString("arc, by name");
        assertThat(Trace.read(unnamed, null).form()).hasToString("arc, by content");
        assertThat(Trace.read(unnamed, TraceFormat.ARC).form()).hasToString("arc, by option");
    }

    @Test
    void columnOfACsvTraceHasThePages() throws IOException {
        Path quoted = file("a.csv", "\"time\",\"the \"\"page\"\", or id\",op\n1,\"5\",w\n2,6,r\n3,5,r\n");

        assertThat(read(file("b.csv", "version,time,op,size,lbn\n1,99,2a,512,42\n1,98,28,512,43\n")))
                .containsExactly(0, 1);
        assertThat(read(file("b.txt", "op,lbn\nr,5\nWrite,6\n w ,5\n2a,7\n"))).containsExactly(0, ~1, ~0, 2);
        assertThat(keys(Trace.read(quoted, null, "the \"page\", or id"))).containsExactly(~0, 1, 0);
        assertThat(keys(Trace.read(quoted, null, "2"))).containsExactly(~0, 1, 0);
        assertThat(keys(Trace.read(file("c.csv", "1,5\n2,6\n3,5\n"), null, "2")))
                .containsExactly(0, 1, 0);
        assertThatThrownBy(() -> Trace.read(quoted, null, "4"))
                .hasMessageContaining("is not a head line with a column 4 (simulate --column names another");
    }

    @Test
    void binaryTraceHasNumbersWhoseHighestBitMayMarkAWrite() throws IOException {
        byte[] ints = ints(-1, 7, 0, -1);
        byte[] markedLongs = longs(1L << 40, Long.MIN_VALUE, 1L << 40 | Long.MIN_VALUE);

        assertThat(read(file("a.u32be", ints))).containsExactly(0, 1, 2, 0);
        assertThat(read(file("b", ints), TraceFormat.CACHE2K)).containsExactly(0, 1, 2, 0);
        assertThat(read(file("a.u64be", longs(-1, 1L << 40, 0, 1L << 40)))).containsExactly(0, 1, 2, 1);
        assertThat(read(file("a.rw32be", ints(7, 7 | Integer.MIN_VALUE, -1)))).containsExactly(0, ~0, ~1);
        assertThat(read(file("b", markedLongs), TraceFormat.RW64BE)).containsExactly(0, ~1, ~0);
    }

    @Test
    void oracleGeneralTraceHasItsObjectsAsPages() throws IOException {
        ByteBuffer records = ByteBuffer.allocate(3 * 24).order(ByteOrder.LITTLE_ENDIAN);
        for (long object : new long[] {1L << 50, -7, 1L << 50}) {
            records.putInt(99).putLong(object).putInt(4096).putLong(-1);
        }

        assertThat(read(file("a.oracleGeneral.bin", records.array()))).containsExactly(0, 1, 0);
        assertThat(read(file("a.oracleGeneral.zst", Zstd.compress(records.array()))))
                .containsExactly(0, 1, 0);
        assertThatThrownBy(() -> read(file("b", Arrays.copyOf(records.array(), 50)), TraceFormat.ORACLE_GENERAL))
                .hasMessageContaining("is truncated: reference 3 has 2 of 24 bytes");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
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
            LIBCACHESIM_CSV | lbn,lbn~5,5~    | line 1: 'lbn,lbn' is not a head line with only one column lbn
            LIBCACHESIM_CSV | op,lbn~r,1~r~   | line 3: 'r' is not a line of 2 columns
            LIBCACHESIM_CSV | op,lbn~r,z~     | line 2: 'r,z' is not a line with a page number in column 2
            LIBCACHESIM_CSV | lbn~"5~         | line 2: '"5' is not a line whose quotes are closed
            """)
    void lineThatCannotBeReadIsNamedWithItsFile(TraceFormat format, String lines, String expected) throws IOException {
        Path file = file("bad", lines.replace('~', '\n'));

        assertThatThrownBy(() -> Trace.read(file, format))
                .isInstanceOf(CommandFailure.class)
                .hasMessageStartingWith(file + ", " + expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"c", "c.trace", "c.lis", "c.csv", "c.trace.gz"})
    void binaryFormatIsNeverAssumed(String name) throws IOException {
        byte[] longs = longs(3, 1L << 40);
        Path file = file(name, name.endsWith(".gz") ? gzip(longs) : longs);

        assertThatThrownBy(() -> Trace.read(file, null))
                .hasMessage(file + " is no text, and a binary format is never assumed; say by --format whether it is"
                        + " cache2k, u32be, u64be, rw32be, rw64be, oracle-general");
        assertThat(read(file, TraceFormat.U64BE)).containsExactly(0, 1);
    }

    @Test
    void textUnderTheNameOfABinaryFormatIsRefused() throws IOException {
        Path file = file("a.u32be", "1000001\n1000002\n");

        assertThatThrownBy(() -> Trace.read(file, null))
                .hasMessageStartingWith(file + " is text, though its name says");
        assertThat(read(file, TraceFormat.LIRS)).containsExactly(0, 1);
    }

    @Test
    void byteOrderMarkIsNoPartOfTheFirstLine() throws IOException {
        for (Charset charset : List.of(StandardCharsets.UTF_8, StandardCharsets.UTF_16LE, StandardCharsets.UTF_16BE)) {
            Path lines = file("a", "\ufeff7\r\n3 w\n7\n".getBytes(charset));
            Path csv = file("a.csv", "\ufefflbn,op\n7,r\n3,w\n7,r\n".getBytes(charset));

            assertThat(read(lines)).as("%s", charset).containsExactly(0, ~1, 0);
            assertThat(read(lines, TraceFormat.LIRS)).containsExactly(0, ~1, 0);
            assertThat(read(csv)).containsExactly(0, ~1, 0);
        }
        Path unmarked = file("b", "7\n3\n".getBytes(StandardCharsets.UTF_16LE));
        assertThatThrownBy(() -> Trace.read(unmarked, null)).hasMessageContaining("is no text");
    }

    @Test
    void commentsAreSkippedInTextAndDoNotDecideOnTheFormat() throws IOException {
        String comment = "# über, two words\n".repeat(5_000); // a letter lies across the end of what is looked at

        assertThat(read(file("a", comment + "7\n#8\n 9\n"))).containsExactly(0, 1);
        assertThat(read(file("a", "#" + comment + "7\n"))).containsExactly(0);
        assertThat(read(file("b", "# x\n1 2 0 0\n"))).containsExactly(0, 1);
        assertThat(read(file("c", "# x\nlbn,op\n#\n4,r\n"))).containsExactly(0);
    }

    // --- files -------------------------------------------------------------------------------------------------------

    @Test
    void emptyAndMissingTracesAreErrors() throws IOException {
        Path empty = file("empty", "\n*\n");

        assertThatThrownBy(() -> Trace.read(empty, null)).hasMessage(empty + " holds no reference");
        assertThatThrownBy(() -> Trace.read(directory.resolve("none"), null))
                .hasMessageStartingWith("there is no trace");
        assertThatThrownBy(() -> Trace.read(directory, null)).hasMessageContaining("cannot be read: ");
    }

    @Test
    void pipeIsReadAsAFile() throws Exception {
        Path pipe = directory.resolve("pipe");
        assumeTrue(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor() == 0);
        byte[] packed = gzip(lines(50_000));
        Thread writer = new Thread(() -> {
            try {
                Files.write(pipe, packed);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        writer.start();

        assertThat(Trace.read(pipe, null).length()).isEqualTo(50_000);
        writer.join();
    }

    @Test
    void packedTraceIsTheSame() throws IOException {
        byte[] lines = lines(5_000);
        int[] plain = read(file("a", lines));
        byte[] zstd = Zstd.compress(lines);

        assertThat(plain).hasSize(5_000);
        assertThat(read(file("a.gz", gzip(lines)))).isEqualTo(plain);
        assertThat(read(file("a.zst", zstd))).isEqualTo(plain);
        assertThat(read(file("a.trace.packed", xz(lines)))).isEqualTo(plain);
        assertThat(read(file("twice.zst", joined(zstd, zstd)))).hasSize(10_000);
        assertThat(read(file("twice.gz", joined(gzip(lines), gzip(lines))))).hasSize(10_000);
    }

    @ParameterizedTest
    @CsvSource({"425A68393141, bzcat", "504B0304, unzip -p", "04224D18, lz4cat", "377ABCAF271C, 7z x -so"})
    void archiveThatCannotBeUnpackedIsNamedWithAProgramThatCan(String begin, String program) throws IOException {
        Path file = file("a", joined(HexFormat.of().parseHex(begin), lines(100)));

        assertThatThrownBy(() -> Trace.read(file, null))
                .hasMessageContaining("is an archive that is not unpacked here; try: " + program + " " + file)
                .hasMessageEndingWith(file + " | workbench simulate --trace - …");
    }

    @Test
    void archiveThatIsTruncatedAnywhereIsAnErrorAndNeverAShorterTrace() throws IOException {
        byte[] first = gzip(lines(50));
        byte[] both = joined(first, gzip(lines(10)));
        for (byte[] whole : List.of(both, xz(lines(50)), Zstd.compress(lines(50)))) {
            for (int length = 0; length < whole.length; length++) {
                if (Arrays.equals(whole, both) && length == first.length) {
                    continue; // a whole archive
                }
                Path file = file("truncated", Arrays.copyOf(whole, length));
                assertThatThrownBy(() -> Trace.read(file, TraceFormat.LIRS))
                        .as("%d of %d bytes", length, whole.length)
                        .isInstanceOf(CommandFailure.class);
            }
        }
        Path file = file("truncated", Arrays.copyOf(both, both.length - 1));
        assertThatThrownBy(() -> Trace.read(file, null))
                .hasMessage(file + " is truncated: the archive ends in the middle");
    }

    @Test
    void archiveWithAWrongByteIsAnError() throws IOException {
        byte[] gz = gzip(lines(300));
        gz[gz.length / 2] ^= 1;
        Path file = file("wrong.gz", gz);

        assertThatThrownBy(() -> Trace.read(file, TraceFormat.LIRS)).hasMessageContaining(file.toString());
        Path none = file("none.gz", "1\n2\n".getBytes(StandardCharsets.US_ASCII));
        assertThatThrownBy(() -> read(none)).hasMessageContaining("is no archive of the kind that its name says");
    }

    @Test
    void writtenTraceIsReadWithTheSameNumbers() throws IOException {
        Trace trace = Trace.read(file("a", joined(lines(5_000), "5 w\n".getBytes(StandardCharsets.US_ASCII))), null);
        Path copy = directory.resolve("copy");
        trace.write(copy);

        assertThat(read(copy, TraceFormat.RW32BE)).isEqualTo(keys(trace));
    }

    @Test
    void pagesAreNumberedInTheOrderInWhichTheyFirstAppear() {
        PageNumbers numbers = new PageNumbers();
        long[] pages = new SplittableRandom(3).longs(10_000).distinct().toArray();

        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < pages.length; i++) {
                assertThat(numbers.of(pages[i])).isEqualTo(i);
            }
        }
        assertThat(numbers.count()).isEqualTo(pages.length);
    }
}
