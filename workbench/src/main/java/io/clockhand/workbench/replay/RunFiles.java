// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.replay;

import io.clockhand.workbench.environment.CleanUp;
import io.clockhand.workbench.environment.CommandFailure;
import io.clockhand.workbench.environment.Disk;
import io.clockhand.workbench.environment.Failures;
import io.clockhand.workbench.environment.Progress;
import io.clockhand.workbench.experiment.Workplace;
import io.clockhand.workbench.pages.driver.PageContent;
import io.clockhand.workbench.replay.driver.Io;
import io.clockhand.workbench.replay.driver.Replay;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The data files. Key k lies on page {@code spread * k}, which is filled with its own number; other pages are holes.
 * Runs that only read share a file for each number of keys; a run that changes pages has a new one, which is deleted
 * before the next.
 */
final class RunFiles {
    static final int PAGE_BYTES = 4096;

    private static final int BATCH_BYTES = 1 << 20;

    private final int spread;
    private final Path directory;
    private final CleanUp cleanUp;
    /** By number of keys. */
    private final Map<Integer, Path> shared = new HashMap<>();
    /** The directory of the last run that changes pages; null before the first. */
    private Path changed;

    RunFiles(int spread, Workplace workplace) {
        this.spread = spread;
        directory = workplace.directory();
        cleanUp = workplace.cleanUp();
    }

    /** Makes the shared ones, and opens one of each kind, as a test. */
    void prepare(Collection<Play> plays, List<Io> ios) {
        for (Play play : plays) {
            for (Io io : ios) {
                try {
                    io.check(pages(play, io), PAGE_BYTES, play.writes());
                } catch (IOException e) {
                    throw new CommandFailure("--io " + io + " is not possible: " + e.getMessage(), e);
                }
            }
        }
    }

    /** The pages of the next run. */
    Replay.Pages pages(Play play, Io io) {
        int keys = play.keys();
        Path file = null;
        if (io.needsFile()) {
            file = play.writes()
                    ? makeNew(keys)
                    : shared.computeIfAbsent(keys, absent -> make(directory.resolve("pages-" + keys), keys));
        }
        return new Replay.Pages(
                io, file == null ? null : file.toAbsolutePath().toString(), (long) (keys - 1) * spread + 1, spread);
    }

    private Path makeNew(int keys) {
        try {
            if (changed != null) {
                cleanUp.delete(changed);
            }
        } catch (IOException e) {
            throw new CommandFailure("cannot delete " + changed + ": " + e.getMessage(), e);
        }
        changed = Disk.workingDirectory(directory, ".changed-", cleanUp);
        return make(changed.resolve("pages"), keys);
    }

    private Path make(Path file, int keys) {
        long bytes = (long) keys * PAGE_BYTES; // holes take none
        Disk.require(file.getParent(), bytes, "the data file");
        try (Progress progress = Progress.of("writing " + Disk.megabytes(bytes) + " to " + file);
                FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            write(channel, keys, progress);
            channel.force(true); // or the system would write it back while something is measured
            return file;
        } catch (IOException e) {
            throw new CommandFailure("cannot make the data file " + file + ": " + Failures.sentence(e), e);
        }
    }

    private void write(FileChannel channel, int keys, Progress progress) throws IOException {
        int batch = spread == 1 ? BATCH_BYTES / PAGE_BYTES : 1;
        ByteBuffer buffer = ByteBuffer.allocateDirect(batch * PAGE_BYTES);
        for (int key = 0; key < keys; key += batch) {
            buffer.clear();
            for (int i = 0; i < batch && key + i < keys; i++) {
                for (int at = 0; at < PAGE_BYTES; at += Long.BYTES) {
                    buffer.putLong(PageContent.of((long) (key + i) * spread));
                }
            }
            long position = (long) key * spread * PAGE_BYTES;
            for (buffer.flip(); buffer.hasRemaining(); ) {
                position += channel.write(buffer, position);
            }
            progress.at((double) key / keys);
        }
    }
}
