// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.environment;

import io.clockhand.workbench.CommandFailure;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
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

    /** Copies a directory that does not change meanwhile, several files at a time. */
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
        try {
            entries.parallelStream().filter(Files::isRegularFile).forEach(entry -> {
                try {
                    Files.copy(entry, to.resolve(from.relativize(entry)));
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
        Files.walkFileTree(directory, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.deleteIfExists(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, IOException failure) throws IOException {
                Files.deleteIfExists(visited);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
