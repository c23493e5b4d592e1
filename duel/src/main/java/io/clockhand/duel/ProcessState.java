// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.duel;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Whether a process has stopped, where the system has {@code /proc}. */
final class ProcessState {
    private static final Path PROC = Path.of("/proc");

    private ProcessState() {}

    /** Whether this system tells. */
    static boolean isKnown() {
        return Files.isReadable(PROC.resolve("self/stat"));
    }

    /**
     * Whether every thread of the process has stopped; the process as a whole counts as stopped earlier, when some of
     * its threads may still run. True also for a process that has ended.
     */
    static boolean hasStopped(long pid) throws IOException {
        try (DirectoryStream<Path> threads =
                Files.newDirectoryStream(PROC.resolve(Long.toString(pid)).resolve("task"))) {
            for (Path thread : threads) {
                if (!isAtRest(state(thread.resolve("stat")))) {
                    return false;
                }
            }
            return true;
        } catch (NoSuchFileException e) {
            return true;
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
    }

    /** {@return the threads of a process that have not stopped, each with its state, for a message} */
    static String describeRunning(long pid) {
        StringBuilder running = new StringBuilder();
        try (DirectoryStream<Path> threads =
                Files.newDirectoryStream(PROC.resolve(Long.toString(pid)).resolve("task"))) {
            for (Path thread : threads) {
                char state = state(thread.resolve("stat"));
                if (!isAtRest(state)) {
                    running.append(running.isEmpty() ? "" : ", ")
                            .append("thread ")
                            .append(thread.getFileName())
                            .append(" is in state ")
                            .append(state);
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            running.append(e);
        }
        return running.isEmpty() ? "all its threads have stopped by now" : running.toString();
    }

    /** Whether a thread in this state is stopped, dead, or waiting to be reaped. */
    private static boolean isAtRest(char state) {
        return "TtZXx".indexOf(state) >= 0;
    }

    /** The letter after the command's name, which is in parentheses and may contain any; X if the file is gone. */
    private static char state(Path stat) throws IOException {
        try {
            String line = Files.readString(stat, StandardCharsets.ISO_8859_1);
            return line.charAt(line.lastIndexOf(')') + 2);
        } catch (NoSuchFileException e) {
            return 'X';
        } catch (IOException e) {
            // "No such process": the thread ended between opening the file and reading it.
            if (Files.exists(stat)) {
                throw e;
            }
            return 'X';
        }
    }
}
