// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.environment;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Directories copied, deleted, and the room for them. */
public final class Disk {
    private Disk() {}

    /** Fails, in one sentence, if fewer bytes are free where {@code directory} is or will be. */
    public static void require(Path directory, long bytes, String forWhat) {
        try {
            long free = Files.getFileStore(existing(directory)).getUsableSpace();
            if (free < bytes) {
                throw new CommandFailure("the disk of " + directory + " is too full: " + forWhat + " needs "
                        + megabytes(bytes) + ", " + megabytes(free) + " are free");
            }
        } catch (IOException e) {
            throw new CommandFailure("cannot tell how much of the disk of " + directory + " is free", e);
        }
    }

    /** Makes a directory if there is none, and fails, in one sentence, if no file can be written there. */
    public static void requireWritable(Path directory, String forWhat) {
        try {
            Files.createDirectories(directory);
            Files.delete(Files.createTempFile(directory, ".probe", null));
        } catch (IOException e) {
            throw new CommandFailure("cannot write to " + directory + ", the directory for " + forWhat + ": " + e, e);
        }
    }

    /** Makes a temporary directory in that of the results. */
    public static Path workingDirectory(Path results, String prefix, CleanUp cleanUp) {
        requireWritable(results, "the results");
        try {
            Path directory = Files.createTempDirectory(results, prefix);
            cleanUp.add(directory);
            return directory;
        } catch (IOException e) {
            throw new CommandFailure("cannot make a directory in " + results + ": " + e, e);
        }
    }

    private static Path existing(Path directory) {
        Path path = directory.toAbsolutePath();
        while (!Files.exists(path)) {
            path = path.getParent();
        }
        return path;
    }

    public static String megabytes(long bytes) {
        return String.format(Locale.ROOT, "%,d MB", Math.round(bytes / 1e6));
    }

    /**
     * Copies a directory that does not change meanwhile, several files at a time.
     *
     * <p>The copies are on the disk when this returns: the operating system's writing back would otherwise disturb
     * the measurement.
     */
    public static void copyTree(Path from, Path to) throws IOException {
        List<Path> entries;
        try (Stream<Path> walk = Files.walk(from)) {
            entries = walk.toList();
        }
        for (Path entry : entries) {
            if (Files.isDirectory(entry)) {
                Files.createDirectories(to.resolve(from.relativize(entry)));
            }
        }
        inParallel(entries, entry -> Files.copy(entry, to.resolve(from.relativize(entry))));
        forceTree(to);
    }

    /** Has the operating system write back all that it still owes to the files of a directory. */
    public static void forceTree(Path directory) throws IOException {
        try (Stream<Path> walk = Files.walk(directory)) {
            inParallel(walk.toList(), Disk::force);
        }
    }

    private static void force(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
    }

    private interface FileWork {
        void doWith(Path file) throws IOException;
    }

    private static void inParallel(List<Path> entries, FileWork work) throws IOException {
        try {
            entries.parallelStream().filter(Files::isRegularFile).forEach(file -> {
                try {
                    work.doWith(file);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /** Deletes a directory with all it holds; one that is not there is deleted already. */
    public static void deleteTree(Path directory) throws IOException {
        if (!Files.exists(directory)) {
            return;
        }
        try (Stream<Path> walk = Files.walk(directory)) {
            for (Path entry : walk.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(entry);
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }
}
