// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.page.KilledEngine.Broken;
import io.clockhand.testing.Tier;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A process that appends pages, updates rows and makes checkpoints on real files is killed after a random number of
 * updates, or while it recovers. After redo, each row has exactly the last of its records that has survived, and all
 * updates that were acknowledged are among these. Then it is started again on the same files.
 * {@code -Dclockhand.kill.rounds=100} kills more often.
 */
class KilledProcessTest {
    private static final int ROUNDS = Integer.getInteger("clockhand.kill.rounds", Tier.pick(2, 5, 100));
    /** The run ends at the first catch, which mostly comes within 30 rounds. */
    private static final int ROUNDS_TO_CATCH = 500;

    /** The most acknowledgements before a process is killed. */
    private static final int MOST_UPDATES = 400;

    private static final int MOST_MILLIS_TO_RECOVER = 400;
    private static final long SECONDS = 180;

    /** A broken rule leaves a row without the value of its last record, or a page whose last record is lost. */
    private static final String FINDING =
            "(?s).*(row \\d+ of page \\d+|page \\d+ of \\S+ has the LSN \\d+, but the log ends).*";

    @TempDir
    private Path folder;

    private final long seed = Long.getLong("clockhand.kill.seed", System.nanoTime());
    private final SplittableRandom random = new SplittableRandom(seed);
    /** The last update of each row that was acknowledged. */
    private final Map<Long, Long> acknowledged = new HashMap<>();

    private long acknowledgements;
    private int started;
    private long records;
    private long pages;
    private int killedAtStart;

    private static long key(long page, int row) {
        return page * KilledEngine.ROWS + row;
    }

    private void run(int rounds, Broken broken) throws Exception {
        try {
            for (int round = 0; round < rounds; round++) {
                runAndKill(broken);
                recoverAndCheck();
            }
        } catch (Exception | AssertionError e) {
            throw new AssertionError("seed " + seed + ": " + e, e);
        }
        System.out.printf(
                "seed %d: killed %d times, %d of them before the first update; %,d updates acknowledged,"
                        + " %,d records, %,d pages%n",
                seed, rounds, killedAtStart, acknowledgements, records, pages);
    }

    private void runAndKill(Broken broken) throws Exception {
        File errors = folder.resolve("errors").toFile();
        Process child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        KilledEngine.class.getName(),
                        folder.toString(),
                        broken.name(),
                        String.valueOf(random.nextLong()))
                .redirectError(errors)
                .start();
        try {
            long before = acknowledgements;
            int updates = 1 + random.nextInt(MOST_UPDATES);
            CompletableFuture<Void> enough = new CompletableFuture<>();
            CompletableFuture<Void> all = CompletableFuture.runAsync(() -> read(child, updates, enough));
            if (started++ > 0 && random.nextInt(8) == 0) {
                child.waitFor(1 + random.nextInt(MOST_MILLIS_TO_RECOVER), TimeUnit.MILLISECONDS);
            } else {
                enough.get(SECONDS, TimeUnit.SECONDS);
            }
            assertThat(child.isAlive())
                    .as(() -> "the child lives: " + text(errors))
                    .isTrue();
            child.toHandle().destroyForcibly(); // SIGKILL; the process itself would close the pipe, too
            all.get(SECONDS, TimeUnit.SECONDS);
            assertThat(child.waitFor()).as("exit status").isNotZero();
            killedAtStart += acknowledgements == before ? 1 : 0;
        } finally {
            child.destroyForcibly();
        }
    }

    private static String text(File file) {
        try {
            return Files.readString(file.toPath());
        } catch (IOException e) {
            return e.toString();
        }
    }

    /** Reads acknowledgements to the end, which is that of the child. */
    private void read(Process child, int updates, CompletableFuture<Void> enough) {
        try (DataInputStream input = new DataInputStream(child.getInputStream())) {
            for (int count = 1; ; count++) {
                long page = input.readLong();
                int row = (int) input.readLong();
                acknowledged.merge(key(page, row), input.readLong(), Math::max);
                acknowledgements++;
                if (count == updates) {
                    enough.complete(null);
                }
            }
        } catch (EOFException e) {
            enough.completeExceptionally(e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void recoverAndCheck() throws IOException {
        KilledEngine engine = new KilledEngine(folder, Broken.NOTHING);
        boolean right = false;
        try {
            List<KilledLog.Entry> survived = engine.recover();
            check(engine, survived);
            engine.checkIntegrity();
            records = survived.size();
            pages = engine.pageCount();
            right = true;
        } finally {
            if (right && random.nextBoolean()) {
                engine.close();
            } else {
                engine.closeWithoutWriting(); // the child has to recover, too
            }
        }
    }

    private void check(KilledEngine engine, List<KilledLog.Entry> survived) throws IOException {
        Map<Long, Long> last = new HashMap<>();
        for (KilledLog.Entry entry : survived) {
            last.put(key(entry.page(), entry.row()), entry.lsn());
        }
        acknowledged.forEach((key, lsn) -> assertThat(last.getOrDefault(key, 0L))
                .as("the last record of row %d of page %d", key % KilledEngine.ROWS, key / KilledEngine.ROWS)
                .isGreaterThanOrEqualTo(lsn));
        for (long page = 0; page < engine.pageCount(); page++) {
            for (int row = 0; row < KilledEngine.ROWS; row++) {
                assertThat(engine.row(page, row))
                        .as("row %d of page %d", row, page)
                        .isEqualTo(last.getOrDefault(key(page, row), 0L));
            }
        }
    }

    @Test
    void acknowledgedUpdatesSurviveTheEndOfTheProcess() throws Exception {
        run(ROUNDS, Broken.NOTHING);
        assertThat(acknowledgements).as("acknowledged updates").isPositive();
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NOTHING")
    @Tag("ci")
    @Timeout(value = 20, unit = TimeUnit.MINUTES)
    void brokenRuleIsFound(Broken broken) {
        assertThatThrownBy(() -> run(ROUNDS_TO_CATCH, broken))
                .isInstanceOf(AssertionError.class)
                .hasMessageMatching(FINDING);
    }
}
