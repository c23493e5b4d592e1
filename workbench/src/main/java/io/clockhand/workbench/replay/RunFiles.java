// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.replay;

import io.clockhand.io.FileOption;
import io.clockhand.io.FilePageStore;
import io.clockhand.workbench.environment.CommandFailure;
import io.clockhand.workbench.environment.Disk;
import io.clockhand.workbench.environment.Failures;
import io.clockhand.workbench.environment.Progress;
import io.clockhand.workbench.pages.driver.PageContent;
import io.clockhand.workbench.replay.driver.Io;
import io.clockhand.workbench.replay.driver.Replay;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The data files. Key k lies on page {@code spread * k}, which is filled with its own number; other pages are holes.
 * Runs that only read share a file for each number of keys; a run that changes pages has a new one, in the place of
 * that of the run before.
 */
record RunFiles(int spread, Path directory) {
    static final int PAGE_BYTES = 4096;

    /** Fails, in one sentence, if files in the directory cannot bypass the operating system's page cache. */
    void requireDirect() {
        try {
            Path probe = Files.write(directory.resolve("probe"), new byte[PAGE_BYTES]);
            FilePageStore.open(probe, PAGE_BYTES, FileOption.READ_ONLY, FileOption.DIRECT)
                    .close();
        } catch (IOException e) {
            throw new CommandFailure("--io direct is not possible: " + e.getMessage(), e);
        }
    }

    /** The pages of the next run. */
    Replay.Pages pages(Io io, int keys, boolean isChanged) {
        String file = io == Io.MEMORY ? null : file(keys, isChanged).toString();
        return new Replay.Pages(io, file, (long) (keys - 1) * spread + 1, spread);
    }

    private Path file(int keys, boolean isChanged) {
        Path file = directory.resolve(isChanged ? "changed" : "pages-" + keys).toAbsolutePath();
        try {
            if (isChanged) {
                Files.deleteIfExists(file);
            }
            if (!Files.exists(file)) {
                Path part = Path.of(file + ".part"); // no later run plays on a file that could not be completed
                Files.deleteIfExists(part);
                make(part, keys);
                Files.move(part, file);
            }
            return file;
        } catch (IOException e) {
            throw new CommandFailure("cannot make the data file " + file + ": " + Failures.sentence(e), e);
        }
    }

    private void make(Path file, int keys) throws IOException {
        long bytes = (long) keys * PAGE_BYTES; // holes take none
        Disk.require(directory, bytes, "the data file");
        try (Progress progress = Progress.of("writing " + Disk.megabytes(bytes) + " to " + file);
                FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            ByteBuffer buffer = ByteBuffer.allocateDirect(PAGE_BYTES);
            for (int key = 0; key < keys; key++) {
                long page = (long) key * spread;
                buffer.clear();
                while (buffer.hasRemaining()) {
                    buffer.putLong(PageContent.of(page));
                }
                channel.write(buffer.flip(), page * PAGE_BYTES);
                progress.at((double) key / keys);
            }
            channel.force(true); // or the system would write it back while something is measured
        }
    }
}
