// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.clockhand.workbench.environment.CleanUp;
import io.clockhand.workbench.environment.CommandFailure;
import io.clockhand.workbench.environment.Disk;
import io.clockhand.workbench.workload.tpcc.Scale;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;

/**
 * A loaded database in a directory of its own, kept for the next time, and the working copies of a run.
 *
 * <pre>
 * tpcc-w2-derby10.16-4k-seed1/
 *     lock         held by the operating system for the process that uses the directory
 *     database/    as loaded, never opened again
 *     loaded.json  written last
 *     run/1/       the copies of a run, deleted after it
 * </pre>
 */
public final class DataSet implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String PAGES = "allocatedPages";

    private final Path directory;
    private final FileChannel lock;

    private DataSet(Path directory, FileChannel lock) {
        this.directory = directory;
        this.lock = lock;
    }

    /** Takes the directory for this process, or fails in one sentence. */
    public static DataSet lock(Path data, Scale scale, String derbyVersion) {
        String derby = derbyVersion.replaceAll("^(\\d+\\.\\d+).*", "$1");
        Path directory = data.resolve("tpcc-w" + scale.warehouses() + "-derby" + derby + "-4k-seed" + scale.seed());
        try {
            Files.createDirectories(directory);
            FileChannel channel =
                    FileChannel.open(directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (!isLocked(channel)) {
                channel.close();
                throw new CommandFailure(
                        "the data in " + directory + " are in use by another workbench; wait for it, or"
                                + " choose another directory with --data");
            }
            DataSet dataSet = new DataSet(directory, channel);
            Disk.deleteTree(dataSet.runDirectory());
            return dataSet;
        } catch (IOException e) {
            throw new CommandFailure("cannot use " + directory + " for data: " + e, e);
        }
    }

    private static boolean isLocked(FileChannel channel) throws IOException {
        try {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            return false;
        }
    }

    /** The pages of all tables and indexes of the loaded database; 0 if nothing is loaded. Else this is an error. */
    public long allocatedPages() {
        try {
            if (!Files.exists(database())) {
                Files.deleteIfExists(marker()); // it would say that the next load is complete, also if that is killed
                return 0;
            }
            long pages = Files.exists(marker())
                    ? JSON.readTree(marker().toFile()).path(PAGES).asLong()
                    : 0;
            if (pages == 0) {
                throw new CommandFailure("the data in " + directory
                        + " are half-loaded, because loading was broken off; delete that directory and run again");
            }
            return pages;
        } catch (IOException e) {
            throw new CommandFailure(marker() + " cannot be read; delete " + directory + " and run again", e);
        }
    }

    /** Says that all is loaded. */
    public void markLoaded(long allocatedPages) throws IOException {
        JSON.writeValue(marker().toFile(), Map.of(PAGES, allocatedPages));
    }

    /**
     * A fresh copy of the database, in a directory of its own that is cleaned up in any event.
     *
     * @param number of the contender among those that live at once
     */
    public Path copyForRun(CleanUp cleanUp, int number) throws IOException {
        cleanUp.add(runDirectory());
        Path run = runDirectory().resolve(Integer.toString(number));
        Files.createDirectories(run);
        Disk.copyTree(database(), run.resolve("database"));
        return run;
    }

    public Path runDirectory() {
        return directory.resolve("run");
    }

    public Path database() {
        return directory.resolve("database");
    }

    public Path directory() {
        return directory;
    }

    private Path marker() {
        return directory.resolve("loaded.json");
    }

    /** Releases the directory; the lock file stays, since deleting it could break another process's lock. */
    @Override
    public void close() {
        try {
            lock.close();
        } catch (IOException e) {
            // it goes with the process at the latest
        }
    }
}
