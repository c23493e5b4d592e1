// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.wal;

import io.clockhand.io.FileOption;
import io.clockhand.io.FilePageStore;
import io.clockhand.io.PageStore;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Segments as files of a folder. Each is locked while it is open, as files of pages are, and so is the file
 * {@value #LOCK}, by which a log has one owner. That one is empty, and stays.
 */
final class FileSegments implements SegmentStores {
    /** The block size of most file systems. */
    private static final int PAGE_BYTES = 4096;

    private static final String LOCK = "log.lock";
    private static final Pattern SEGMENT = Pattern.compile("[0-9a-f]{16}\\.log");
    private static final int GREATEST_TRIES = 10_000;

    private final Path folder;
    private final boolean direct;

    FileSegments(Path folder, boolean direct) {
        this.folder = folder.toAbsolutePath();
        this.direct = direct;
    }

    @Override
    public String name() {
        return folder.toString();
    }

    @Override
    public int pageBytes() {
        return PAGE_BYTES;
    }

    @Override
    public Closeable own(boolean create) throws IOException {
        if (create) {
            createFolder();
        }
        if (Files.exists(folder) && !Files.isDirectory(folder)) {
            throw new NotDirectoryException(folder.toString());
        }
        if (!create && list().isEmpty()) { // else a lock would stay in a folder that is none of a log
            throw new NoSuchFileException(
                    folder.toString(), null, "there is no log in it; open it with FileOption.CREATE to create one");
        }
        return FilePageStore.open(folder.resolve(LOCK), PAGE_BYTES, 1, FileOption.CREATE, FileOption.ANY_LENGTH);
    }

    /** Creates the folder, and those that it lies in, and makes their names durable. */
    private void createFolder() throws IOException {
        Deque<Path> unforced = new ArrayDeque<>();
        for (Path made = folder; made != null && !Files.isDirectory(made); made = made.getParent()) {
            unforced.push(made);
        }
        if (unforced.isEmpty() && list().isEmpty()) {
            unforced.push(folder); // which somebody may have made just now
        }
        Files.createDirectories(folder);
        for (Path made : unforced) {
            force(made.toRealPath().getParent());
        }
    }

    @Override
    public List<String> list() throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.map(file -> file.getFileName().toString())
                    .filter(file -> SEGMENT.matcher(file).matches())
                    .toList();
        }
    }

    @Override
    public PageStore open(String segment, boolean create) throws IOException {
        FileOption[] options = Stream.of(
                        create ? FileOption.CREATE : null, direct ? FileOption.DIRECT : null, FileOption.ANY_LENGTH)
                .filter(option -> option != null)
                .toArray(FileOption[]::new);
        return FilePageStore.open(folder.resolve(segment), PAGE_BYTES, 1, options);
    }

    @Override
    public void force() throws IOException {
        force(folder);
    }

    /** An interrupt closes the channel, so the flag is cleared, and the force repeated. */
    private static void force(Path folder) throws IOException {
        if (folder == null || System.getProperty("os.name").startsWith("Windows")) {
            return; // which opens no folders, and needs no force of one
        }
        boolean interrupted = Thread.interrupted();
        try {
            for (int tries = 1; ; tries++) {
                try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
                    channel.force(true);
                    return;
                } catch (ClosedChannelException e) {
                    interrupted |= Thread.interrupted();
                    if (tries == GREATEST_TRIES) {
                        throw e;
                    }
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
