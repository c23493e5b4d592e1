// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.workload;

import static io.clockhand.workbench.workload.TraceTest.gzip;
import static io.clockhand.workbench.workload.TraceTest.joined;
import static io.clockhand.workbench.workload.TraceTest.lines;
import static io.clockhand.workbench.workload.TraceTest.marked;
import static io.clockhand.workbench.workload.TraceTest.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.clockhand.workbench.workload.TraceForm.Evidence;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Where traces come from, and which format they are taken for. */
class TraceDetectionTest {
    @TempDir
    private Path directory;

    private Path file(String name, byte[] content) throws IOException {
        return Files.write(directory.resolve(name), content);
    }

    private Path file(String name, String content) throws IOException {
        return file(name, content.getBytes(StandardCharsets.US_ASCII));
    }

    @ParameterizedTest
    @ValueSource(strings = {"c", "c.trace", "c.lis", "c.csv", "c.trace.gz"})
    void binaryFormatIsNeverAssumed(String name) throws IOException {
        byte[] longs = ByteBuffer.allocate(16).putLong(3).putLong(1L << 40).array();
        Path file = file(name, name.endsWith(".gz") ? gzip(longs) : longs);

        assertThatThrownBy(() -> Trace.read(file, null))
                .hasMessage(file + " is no text, and a binary format is never assumed; say by --format whether it is"
                        + " cache2k, u32be, u64be, rw32be, rw64be, oracle-general");
        assertThat(Trace.read(file, TraceFormat.U64BE).form())
                .isEqualTo(new TraceForm(TraceFormat.U64BE, Evidence.OPTION));
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

            for (Path file : List.of(lines, csv)) {
                assertThat(marked(Trace.read(file, null))).as("%s", charset).containsExactly(0, ~1, 0);
            }
            assertThat(read(lines, TraceFormat.LIRS)).containsExactly(0, 1, 0);
        }
        Path unmarked = file("b", "7\n3\n".getBytes(StandardCharsets.UTF_16LE));
        assertThatThrownBy(() -> Trace.read(unmarked, null)).hasMessageContaining("is no text");
    }

    @Test
    void formIsStatedWithWhatDecidedOnIt() throws IOException {
        assertThat(Trace.read(file("a.gz", gzip(lines(3))), null).form()).hasToString("lirs, after its first lines");
        assertThat(Trace.read(file("a.lis", "1 1 0 0\n"), null).form()).hasToString("arc, after its name");
        assertThat(Trace.read(file("a", "1 1 0 0\n"), TraceFormat.ARC).form()).hasToString("arc, as stated");
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
    void commentsAreSkippedInTextAndDoNotDecideOnTheFormat() throws IOException {
        String comment = "# über, two words\n".repeat(50);

        assertThat(read(file("a", (comment + "7\n#8\n 9\n").getBytes(StandardCharsets.UTF_8)), null))
                .containsExactly(0, 1);
        assertThat(Trace.read(file("b", "# x\n1 2 0 0\n"), null).form().format())
                .isEqualTo(TraceFormat.ARC);
        assertThat(read(file("c", "# x\nlbn,op\n#\n4,r\n"), null)).containsExactly(0);
    }

    @ParameterizedTest
    @CsvSource({"425A68393141, bzip2", "504B0304, zip", "04224D18, lz4", "377ABCAF271C, 7-Zip"})
    void archiveThatCannotBeUnpackedIsNamedWithAProgramThatCan(String begin, String kind) throws IOException {
        Path file = file("a", joined(HexFormat.of().parseHex(begin), lines(100)));

        assertThatThrownBy(() -> Trace.read(file, null))
                .hasMessageContaining("is packed with " + kind + ", which is not unpacked here; try: ")
                .hasMessageEndingWith(file + " | workbench simulate --trace - …");
    }
}
