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
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The data files. Runs that only read share one for each number of keys; a run that changes pages has a new one, which
 * is deleted before the next.
 */
final class RunFiles {
    /** Enough to open it. */
    private static final int PROBE_PAGES = 1;

    private final DataOptions settings;
    private final Path directory;
    private final CleanUp cleanUp;
    private final Map<PageFile, Path> shared = new LinkedHashMap<>();
    /** Of the last run that changes pages; null before the first. */
    private Path changed;

    RunFiles(DataOptions settings, Workplace workplace) {
        this.settings = settings;
        directory = settings.file() == null ? workplace.directory() : settings.file();
        cleanUp = workplace.cleanUp();
    }

    /** Makes the shared ones, and opens one of each kind, as a test. */
    void prepare(Collection<Play> plays) {
        List<Io> ios = settings.ios().stream().filter(Io::needsFile).toList();
        for (Play play : plays) {
            PageFile layout = PageFile.of(settings, play.keys());
            if (ios.isEmpty() || shared.containsKey(layout)) {
                continue;
            }
            if (play.writes()) {
                PageFile probe = new PageFile(settings.pageBytes(), PROBE_PAGES, 1, PROBE_PAGES);
                Path file = makeNew(probe);
                ios.forEach(io -> check(io, probe, file, true));
            } else {
                Path file = layout.in(directory, cleanUp);
                shared.put(layout, file);
                ios.forEach(io -> check(io, layout, file, false));
            }
        }
    }

    private static void check(Io io, PageFile layout, Path file, boolean writes) {
        try {
            io.check(file, layout.pages(), layout.pageBytes(), writes);
        } catch (IOException e) {
            throw new CommandFailure("--io " + io + " is not possible: " + e.getMessage(), e);
        }
    }

    /** The pages of the next run. */
    Replay.Pages pages(Play play, Io io) {
        PageFile layout = PageFile.of(settings, play.keys());
        String file = null;
        if (io.needsFile()) {
            Path path = play.writes() ? makeNew(layout) : shared.get(layout);
            file = path.toAbsolutePath().toString();
        }
        return new Replay.Pages(io, file, layout.pages(), settings.spread());
    }

    private Path makeNew(PageFile layout) {
        try {
            if (changed != null) {
                cleanUp.delete(changed);
            }
        } catch (IOException e) {
            throw new CommandFailure("cannot delete " + changed + ": " + e.getMessage(), e);
        }
        changed = Disk.workingDirectory(directory, ".changed-", cleanUp);
        return layout.in(changed, cleanUp);
    }

    /**
     * The data file of runs: key k lies on page {@code spread * k}, which is filled with its own number; other pages
     * are holes. A page behind the last, the stamp, says which file it is; it is written last, so a file that has it is
     * whole.
     *
     * @param pages how many pages there are, without the stamp
     */
    record PageFile(int pageBytes, int keys, int spread, long pages) {
        private static final long STAMP = 0xC10C_F11E_0000_0001L;
        private static final int STAMP_BYTES = 4 * Long.BYTES;
        private static final int BATCH_BYTES = 1 << 20;

        /** The smallest for a workload, or one of the typed number of pages. */
        static PageFile of(DataOptions settings, int keys) {
            long needed = (long) (keys - 1) * settings.spread() + 1;
            if (settings.filePages() != null && settings.filePages() < needed) {
                throw new CommandFailure("--file-pages is " + settings.filePages() + ", but a workload has " + keys
                        + " keys, which take " + needed + " pages with a spread of " + settings.spread());
            }
            return new PageFile(
                    settings.pageBytes(),
                    keys,
                    settings.spread(),
                    settings.filePages() == null ? needed : settings.filePages());
        }

        /** Of the pages with content; holes take none. */
        long bytesOnDisk() {
            return ((long) keys + 1) * pageBytes;
        }

        String name() {
            return "replay-" + keys + "-keys-spread-" + spread + "-on-" + pages + "-pages-of-" + pageBytes
                    + "-bytes.data";
        }

        /** The file, made if there is none in this directory; another file of its name is an error. */
        Path in(Path directory, CleanUp cleanUp) {
            Path file = directory.resolve(name());
            try {
                Disk.requireWritable(directory, "the data file");
                if (Files.exists(file)) {
                    requireFits(file);
                } else {
                    Disk.require(directory, bytesOnDisk(), "the data file");
                    make(file, cleanUp);
                }
                return file;
            } catch (IOException e) {
                throw new CommandFailure("cannot make the data file " + file + ": " + Failures.sentence(e), e);
            }
        }

        private void requireFits(Path file) throws IOException {
            ByteBuffer found = ByteBuffer.allocate(STAMP_BYTES);
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
                boolean fits = channel.size() == (pages + 1) * pageBytes
                        && channel.read(found, pages * pageBytes) == STAMP_BYTES
                        && found.flip().equals(stamp(STAMP_BYTES));
                if (!fits) {
                    throw new CommandFailure(
                            file + " is not the data file that its name says, by its length or its stamp;"
                                    + " delete it and run again");
                }
            }
        }

        private ByteBuffer stamp(int bytes) {
            return ByteBuffer.allocate(bytes)
                    .putLong(STAMP)
                    .putLong(((long) pageBytes << 32) | spread)
                    .putLong(keys)
                    .putLong(pages)
                    .rewind();
        }

        private void make(Path file, CleanUp cleanUp) throws IOException {
            Path part = file.resolveSibling(
                    "." + name() + "." + ProcessHandle.current().pid() + ".part");
            cleanUp.add(part);
            try (Progress progress = Progress.of("writing " + Disk.megabytes(bytesOnDisk()) + " to " + file);
                    FileChannel channel =
                            FileChannel.open(part, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
                write(channel, progress);
                channel.force(true); // or the system would write it back while something is measured
            }
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
            cleanUp.keep(part);
        }

        private void write(FileChannel channel, Progress progress) throws IOException {
            int batch = spread == 1 ? Math.max(1, BATCH_BYTES / pageBytes) : 1;
            ByteBuffer buffer = ByteBuffer.allocateDirect(batch * pageBytes);
            for (int key = 0; key < keys; key += batch) {
                buffer.clear();
                for (int i = 0; i < batch && key + i < keys; i++) {
                    fill(buffer, (long) (key + i) * spread);
                }
                writeAll(channel, buffer.flip(), (long) key * spread * pageBytes);
                progress.at((double) key / keys);
            }
            writeAll(channel, stamp(pageBytes), pages * pageBytes);
        }

        private void fill(ByteBuffer buffer, long page) {
            for (int at = 0; at < pageBytes; at += Long.BYTES) {
                buffer.putLong(PageContent.of(page));
            }
        }

        private static void writeAll(FileChannel channel, ByteBuffer buffer, long position) throws IOException {
            long at = position;
            while (buffer.hasRemaining()) {
                at += channel.write(buffer, at);
            }
        }
    }
}
