// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jmh.duel;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A directory that is deleted when it is closed, or by Ctrl-C, unless it is kept. */
public final class WorkingDirectory implements AutoCloseable {
    private final Path path;
    private final Thread hook = new Thread(this::delete, "duel directory");
    private volatile boolean kept;

    private WorkingDirectory(Path path) {
        this.path = path;
    }

    public static WorkingDirectory create() throws IOException {
        WorkingDirectory directory = new WorkingDirectory(Files.createTempDirectory("duel"));
        Runtime.getRuntime().addShutdownHook(directory.hook);
        return directory;
    }

    public Path path() {
        return path;
    }

    /** The directory stays: it holds the log of a failure. */
    public void keep() {
        kept = true;
    }

    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            return; // the hook runs
        }
        delete();
    }

    private void delete() {
        if (kept) {
            return;
        }
        try (Stream<Path> tree = Files.walk(path)) {
            List<Path> leavesFirst = tree.sorted(Comparator.reverseOrder()).toList();
            for (Path each : leavesFirst) {
                Files.deleteIfExists(each);
            }
        } catch (IOException | UncheckedIOException e) {
            System.err.println("Duel: cannot delete " + path + ": " + e.getMessage());
        }
    }
}
