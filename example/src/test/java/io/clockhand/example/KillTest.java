// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.example;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.page.BufferPool;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process that runs transactions is killed, and every other time another one, while it recovers; then all
 * transactions are there that were acknowledged, and of others all changes or none. {@code -Dexample.kills=300} has
 * more kills, {@code -Dexample.kills.seed} others.
 */
@Timeout(value = 2, unit = TimeUnit.HOURS)
class KillTest {
    private static final int KILLS = Work.amount("example.kills", 3, 20, 300);
    private static final long SEED = Long.getLong("example.kills.seed", 1);
    private static final int THREADS = 3;

    @TempDir
    private Path folder;

    private final SplittableRandom random = new SplittableRandom(SEED);

    @Test
    void acknowledgedTransactionsSurvive() throws Exception {
        List<Plan> plans = new ArrayList<>();
        for (int thread = 0; thread < THREADS; thread++) {
            plans.add(new Plan(SEED, thread, KilledStore.CONFIG.pageBytes()));
        }
        int kills = 0;
        while (kills < KILLS) {
            killAtWork(plans);
            kills++;
            if (kills % 3 != 0 && kills < KILLS) {
                killWhileItOpens();
                kills++;
            }
            Store store = Store.open(folder, KilledStore.CONFIG);
            for (Plan plan : plans) {
                plan.checkRecovered(store);
            }
            TreeCheck.check(store);
            if (random.nextBoolean()) {
                store.close();
            } else {
                store.closeWithoutWriting();
            }
        }
        assertThat(plans).allSatisfy(plan -> assertThat(plan.done()).isPositive());
    }

    private void killAtWork(List<Plan> plans) throws IOException, InterruptedException {
        List<String> arguments =
                new ArrayList<>(plans.stream().map(plan -> plan.done() + "").toList());
        List<String> lines = runAndKill(arguments, "done ", 10 + random.nextInt(150));
        for (String line : lines) {
            String[] words = line.split(" ", -1);
            if (words[0].equals("done") && words.length == 3) {
                Plan plan = plans.get(Integer.parseInt(words[1]));
                plan.skip();
                assertThat(plan.done()).as("order of acknowledgements").isEqualTo(Long.parseLong(words[2]));
            }
        }
    }

    private void killWhileItOpens() throws IOException, InterruptedException {
        runAndKill(List.of(), "call ", 1 + random.nextInt(60));
    }

    /** Kills the process when it has printed a number of lines that begin so. {@return its whole lines} */
    private List<String> runAndKill(List<String> arguments, String beginning, int count)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                Stream.of(KilledStore.class, Store.class, BufferPool.class, org.assertj.core.api.Assertions.class)
                        .map(KillTest::locationOf)
                        .collect(Collectors.joining(File.pathSeparator)),
                KilledStore.class.getName(),
                folder.toString(),
                SEED + ""));
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().remove("JAVA_TOOL_OPTIONS");
        Process process = builder.start();
        List<String> lines = new ArrayList<>();
        try (BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            int found = 0;
            for (String line = readWholeLine(out); line != null; line = readWholeLine(out)) {
                lines.add(line);
                found += line.startsWith(beginning) ? 1 : 0;
                if (found == count) {
                    process.toHandle().destroyForcibly(); // SIGKILL, and the pipe stays open
                }
            }
        } finally {
            process.destroyForcibly();
        }
        process.waitFor();
        assertThat(lines).allMatch(line -> line.matches("(call|done|open).*"));
        return lines;
    }

    /** {@return a line that has an end; null if there is none} */
    private static String readWholeLine(BufferedReader in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next >= 0; next = in.read()) {
            if (next == '\n') {
                return line.toString();
            }
            line.append((char) next);
        }
        return null;
    }

    private static String locationOf(Class<?> type) {
        return new File(type.getProtectionDomain().getCodeSource().getLocation().getPath()).getPath();
    }
}
