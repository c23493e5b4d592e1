// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.io.FileOption;
import io.clockhand.testing.DirectFolder;
import io.clockhand.testing.Pools;
import io.clockhand.testing.Tier;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Pools as large as the JVM allows, or larger, and files of others: each in a JVM of its own. */
class ForkedPoolTest {
    private static final Pattern OPENED = Pattern.compile("frames=(\\d+) cpuMillis=(\\d+) before=(\\d+) after=(\\d+)");
    private static final int SECONDS = 200;

    private static String run(List<String> flags, String... arguments) throws IOException, InterruptedException {
        return run(List.of(), flags, arguments);
    }

    /** Flags may set another class path. */
    static String run(List<String> shell, List<String> flags, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(shell);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path")));
        command.addAll(flags);
        command.add(ForkedPool.class.getName());
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        // or a JVM that hangs would hang the test, which reads its output to the end
        CompletableFuture.delayedExecutor(SECONDS, TimeUnit.SECONDS).execute(process::destroyForcibly);
        try {
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(SECONDS, TimeUnit.SECONDS))
                    .as("the JVM ends: %s", output)
                    .isTrue();
            return output;
        } finally {
            process.destroyForcibly();
        }
    }

    private static Matcher sixteenGibibytes() throws IOException, InterruptedException {
        String output = run(List.of("-Xmx1g", "-XX:MaxDirectMemorySize=17g"), "open", String.valueOf(16L << 30));
        Matcher opened = OPENED.matcher(output);
        assertThat(opened.find()).as(output).isTrue();
        return opened;
    }

    @Test
    void sixteenGibibytesTakeNoMemoryUntilPagesCome() throws Exception {
        Matcher opened = sixteenGibibytes();

        assertThat(Integer.parseInt(opened.group(1))).isEqualTo(1 << 22);
        assertThat(Long.parseLong(opened.group(3)))
                .as("bytes before pages came")
                .isLessThan(1 << 20);
        assertThat(Long.parseLong(opened.group(4))).as("bytes for 100 pages").isBetween(100L * 4096, 64L << 20);
    }

    @Test
    @Tag("nightly")
    void sixteenGibibytesOpenAtOnce() throws Exception {
        int least = Integer.MAX_VALUE;
        for (int round = 0; round < 3; round++) {
            least = Math.min(least, Integer.parseInt(sixteenGibibytes().group(2)));
        }
        assertThat(least).as("milliseconds of a processor").isLessThan(2_000);
    }

    @Test
    void tooLittleDirectMemoryNamesTheFlag() throws Exception {
        assertThat(run(List.of("-Xmx64m", "-XX:MaxDirectMemorySize=8m"), "open", String.valueOf(16 << 20)))
                .contains("refused: the pool needs")
                .contains("allows 8388608; start it with -XX:MaxDirectMemorySize=19m or more");
        assertThat(run(List.of("-Xmx64m"), "open", String.valueOf(128 << 20))).contains("-XX:MaxDirectMemorySize=");
    }

    @Test
    void secondPoolIsRefusedWhereTheFirstMayTakeItsDirectMemory() throws Exception {
        assertThat(run(List.of("-Xmx128m", "-XX:MaxDirectMemorySize=64m"), "two", String.valueOf(48 << 20)))
                .contains("first=12288")
                .contains("refused: the pool needs ")
                .contains("of the 67108864 that this JVM allows other open pools may take ")
                .contains("start it with -XX:MaxDirectMemorySize=107m or more, close a pool")
                .contains("done");
    }

    /** Else its pages would have no memory, though it was made. */
    @Test
    void poolIsRefusedWhereAClosedOneHasNotGivenItsMemoryBack() throws Exception {
        List<String> flags = List.of("-Xmx128m", "-XX:MaxDirectMemorySize=64m");
        assertThat(run(flags, "referred", String.valueOf(40 << 20)))
                .as("a pool after one whose pages are referred to")
                .containsPattern("refused: the pool needs \\d+ bytes of direct memory, but of the 67108864 that this")
                .containsPattern("pools may take 0, and closed pools have \\d+ that the collector has not freed, since")
                .contains("done");
    }

    @Test
    void poolGrowsByTheMemoryOfAClosedOneThatIsGarbage() throws Exception {
        assertThat(run(List.of("-Xmx128m", "-XX:MaxDirectMemorySize=64m"), "grow", String.valueOf(40 << 20)))
                .as("a growth after the close of another pool")
                .contains("grown to 10240");
    }

    @Test
    void refusalNamesTheFlagThatForbidsACollection() throws Exception {
        List<String> flags = List.of("-Xmx128m", "-XX:MaxDirectMemorySize=64m", "-XX:+DisableExplicitGC");
        assertThat(run(flags, "referred", String.valueOf(40 << 20)))
                .contains("that the collector has not freed: with -XX:+DisableExplicitGC no pool can ask it to");
    }

    @Test
    void fileThatAnotherProcessUsesIsRefused(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("pages.db");
        try (BufferPool pool = Pools.builder().pageBytes(512).build()) {
            pool.open(0, file, FileOption.CREATE);
            assertThat(run(List.of("-Xmx64m"), "file", file.toString()))
                    .contains("refused: ")
                    .contains("pages.db: it is in use by another process, which holds a lock on it");
        }
        assertThat(run(List.of("-Xmx64m"), "file", file.toString())).contains("opened as file 0");
    }

    /** A limit of 42 KiB for files stands for a full disk: the eleventh page of 4 KiB is written in part. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void fullDiskLosesNoPageAndLeavesNoPartOfOne(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("pages.db");
        List<String> limited = List.of("bash", "-c", "ulimit -f 42; exec \"$@\"", "bash");

        String output = run(limited, List.of("-Xmx64m"), "full", file.toString());

        assertThat(output)
                .containsSubsequence(
                        "refused: cannot extend " + file + " from 10 to 11 pages: ",
                        "File too large; 10 pages in 40960 bytes",
                        "refused: cannot extend " + file + " from 10 to 11 pages: ",
                        "File too large; 10 pages in 40960 bytes",
                        "page 0 says 0",
                        "page 9 says 0",
                        "closed");
    }

    /** A direct write ends with a whole block, or with the limit. */
    @Test
    @EnabledOnOs(OS.LINUX)
    @Tag("ci")
    void fullDiskLosesNoPageOfAFileThatIsWrittenDirectly(@TempDir Path folder) throws Exception {
        DirectFolder.assumePagesOf(4096, folder);
        Path file = folder.resolve("pages.db");
        List<String> limited = List.of("bash", "-c", "ulimit -f 42; exec \"$@\"", "bash");

        String output = run(limited, List.of("-Xmx64m"), "full-direct", file.toString());

        assertThat(output)
                .containsSubsequence(
                        "refused: cannot extend " + file + " from 10 to 11 pages: ",
                        "; 10 pages in 40960 bytes",
                        "refused: cannot extend " + file + " from 10 to 11 pages: ",
                        "; 10 pages in 40960 bytes",
                        "page 0 says 0",
                        "page 9 says 0",
                        "closed");
    }

    @Test
    @Tag("ci")
    void directIoNeedsAModuleThatNothingElseNeeds(@TempDir Path folder) throws Exception {
        DirectFolder.assumePagesOf(4096, folder);
        String modules = "java.base,java.management,jdk.management";
        Path file = folder.resolve("pages.db");

        assertThat(run(List.of("-Xmx64m", "--limit-modules", modules), "direct", file.toString()))
                .contains("refused: direct I/O needs com.sun.nio.file.ExtendedOpenOption")
                .contains("--add-modules jdk.unsupported");
        assertThat(run(List.of("-Xmx64m", "--limit-modules", modules + ",jdk.unsupported"), "direct", file.toString()))
                .contains("opened " + file.toRealPath());
    }

    @Test
    void manyPoolsOfHalfTheMemoryFitOneAfterTheOther() throws Exception {
        String count = String.valueOf(Tier.pick(8, 50, 50));
        assertThat(run(List.of("-Xmx128m", "-XX:MaxDirectMemorySize=70m"), "cycles", count))
                .contains("done");
    }
}
