// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.testing.Tier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random sequences of opens, closes, deletions, renames, links and interrupts, in two processes with two class loaders
 * each, against a model: each open is refused if and only if the model says so, a lock that is held is seen by the
 * other process after each step, and files of others stay as they are.
 */
@DisabledOnOs(OS.WINDOWS) // where files that are open cannot be renamed
class FileOwnerModelTest {
    private static final int STEPS = 40;
    private static final int LOADERS = 2;
    private static final List<String> NAMES = List.of("a", "b", "c");
    private static final byte[] FOREIGN = {1, 2, 3};

    private final Map<String, Integer> files = new TreeMap<>();
    private final Map<String, Use> uses = new TreeMap<>();
    private int inodes;
    private int opens;

    @TempDir
    private Path folder;

    /** A store that is open. */
    private record Use(int process, int agent, int inode, String name, Mode mode) {}

    private enum Mode {
        WRITE(""),
        CREATE(" CREATE"),
        READ(" READ_ONLY"),
        UNLOCKED(" NO_LOCK"),
        UNLOCKED_CREATE(" NO_LOCK CREATE");

        private final String options;

        Mode(String options) {
            this.options = options;
        }

        boolean creates() {
            return options.contains("CREATE");
        }

        boolean locks() {
            return !options.contains("NO_LOCK");
        }
    }

    @Test
    void fileHasOneOwnerWhateverItsNames() throws Exception {
        long seed = Long.getLong("clockhand.owner.seed", 0);
        int sequences = Tier.pick(12, 300, 10_000);
        try (OwnerProcess other = OwnerProcess.start(LOADERS)) {
            OwnerProcess[] processes = {OwnerProcess.here(LOADERS), other};
            for (int i = 0; i < sequences; i++) {
                run(processes, seed + i);
            }
        }
    }

    private void run(OwnerProcess[] processes, long seed) throws IOException {
        files.clear();
        SplittableRandom random = new SplittableRandom(seed);
        List<String> steps = new ArrayList<>();
        for (String name : NAMES) {
            Files.write(path(name + ".lock"), FOREIGN);
        }
        for (int i = 0; i < STEPS; i++) {
            step(processes, random, steps);
            expectLocks(processes, "seed " + seed + ": " + String.join("; ", steps));
        }
        for (Map.Entry<String, Use> use : uses.entrySet()) {
            processes[use.getValue().process].tell(use.getValue().agent, "close " + use.getKey());
        }
        uses.clear();
        for (String name : NAMES) {
            assertThat(path(name + ".lock")).hasBinaryContent(FOREIGN);
        }
        try (Stream<Path> left = Files.list(folder)) {
            for (Path file : left.toList()) {
                Files.delete(file);
            }
        }
    }

    private Path path(String name) {
        return folder.resolve(name);
    }

    private void step(OwnerProcess[] processes, SplittableRandom random, List<String> steps) throws IOException {
        String name = NAMES.get(random.nextInt(NAMES.size()));
        String target = NAMES.get(random.nextInt(NAMES.size()));
        int choice = random.nextInt(100);
        if (choice < 45) {
            Mode mode = Mode.values()[random.nextInt(Mode.values().length)];
            open(processes, random.nextInt(2), random.nextInt(LOADERS), name, mode, steps);
        } else if (choice < 55 && files.containsKey(name) && !files.containsKey(target)) {
            steps.add("rename " + name + " to " + target);
            Files.move(path(name), path(target));
            files.put(target, files.remove(name));
        } else if (choice < 62 && files.containsKey(name) && !files.containsKey(target)) {
            steps.add("link " + target + " to " + name);
            Files.createLink(path(target), path(name));
            files.put(target, files.get(name));
        } else if (choice < 66 && files.containsKey(name)) {
            steps.add("remove " + name);
            Files.delete(path(name));
            files.remove(name);
        } else if (!uses.isEmpty()) {
            String store = List.copyOf(uses.keySet()).get(random.nextInt(uses.size()));
            use(processes, store, uses.get(store), random.nextInt(4), steps);
        }
    }

    private void open(OwnerProcess[] processes, int process, int agent, String name, Mode mode, List<String> steps) {
        String store = "s" + opens++;
        String command = "open " + store + " " + path(name) + mode.options;
        steps.add(process + "." + agent + " " + command);
        String answer = processes[process].tell(agent, command);
        boolean exists = files.containsKey(name);
        boolean expected = exists ? isAllowed(process, files.get(name), mode) : mode.creates();
        assertThat(answer)
                .as(String.join("; ", steps))
                .startsWith(expected ? "ok" : "refused: ")
                .doesNotContain("it is locked already in this JVM");
        if (expected) {
            if (!exists) {
                files.put(name, inodes++);
            }
            uses.put(store, new Use(process, agent, files.get(name), name, mode));
        }
    }

    /** Within a process: one store, or several without locks. Between processes: readers, and those without locks. */
    private boolean isAllowed(int process, int inode, Mode mode) {
        return uses.values().stream()
                .filter(use -> use.inode == inode)
                .allMatch(use -> use.process == process
                        ? !use.mode.locks() && !mode.locks()
                        : !use.mode.locks() || !mode.locks() || (use.mode == Mode.READ && mode == Mode.READ));
    }

    private void use(OwnerProcess[] processes, String store, Use use, int choice, List<String> steps) {
        String verb = List.of("use", "interrupt", "close", "delete").get(choice);
        if (verb.equals("delete") && (use.mode == Mode.READ || files.getOrDefault(use.name, -1) != use.inode)) {
            return; // it cannot be deleted under its name
        }
        String command = verb + " " + store;
        steps.add(use.process + "." + use.agent + " " + command);
        String answer = processes[use.process].tell(use.agent, command);
        boolean nameless = !files.containsValue(use.inode);
        assertThat(answer)
                .as(String.join("; ", steps))
                .startsWith(verb.equals("close") && nameless && answer.startsWith("refused") ? "refused: " : "ok");
        if (verb.equals("close") || verb.equals("delete")) {
            uses.remove(store);
        }
        if (verb.equals("delete")) {
            files.remove(use.name);
        }
    }

    /** A process that has not opened a file sees the locks of the other one. */
    private void expectLocks(OwnerProcess[] processes, String steps) {
        files.forEach((name, inode) -> {
            List<Use> users =
                    uses.values().stream().filter(use -> use.inode == inode).toList();
            for (int process = 0; process < processes.length; process++) {
                int observer = process;
                if (users.stream().noneMatch(use -> use.process == observer)) {
                    boolean locked = users.stream().anyMatch(use -> use.mode.locks());
                    assertThat(processes[process].tell(0, "probe " + path(name)))
                            .as("%s after %s", name, steps)
                            .isEqualTo(locked ? "locked" : "not locked");
                }
            }
        });
    }
}
