// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.tpcc;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.clockhand.workbench.CommandFailure;
import io.clockhand.workbench.environment.CleanUp;
import io.clockhand.workbench.environment.Disk;
import io.clockhand.workbench.tpcc.load.Scale;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A loaded database in a directory of its own, kept for the next time, and the working copy of one run.
 *
 * <pre>
 * tpcc-w2-derby10.16-4k-seed1/
 *     lock         held by the operating system for the process that uses the directory
 *     database/    as loaded, never opened again
 *     loaded.json  written last: what was loaded
 *     run/         the copy of a run, deleted after it
 * </pre>
 */
final class DataSet implements AutoCloseable {
    /**
     * The marker's content.
     *
     * @param format of what this class writes; 1 so far
     * @param allocatedPages of all tables and indexes
     */
    record Marker(int format, String derby, Scale scale, long allocatedPages) {}

    private static final int FORMAT = 1;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path directory;
    private final String derby;
    private final Scale scale;
    private final FileChannel lock;

    private DataSet(Path directory, String derby, Scale scale, FileChannel lock) {
        this.directory = directory;
        this.derby = derby;
        this.scale = scale;
        this.lock = lock;
    }

    /** Takes the directory for this process, or fails in one sentence. */
    static DataSet lock(Path data, Scale scale, String derbyVersion) {
        String derby = derbyVersion.replaceAll("^(\\d+\\.\\d+).*", "$1");
        Path directory = data.resolve("tpcc-w" + scale.warehouses() + "-derby" + derby + "-4k-seed" + scale.seed());
        try {
            Files.createDirectories(directory);
            FileChannel channel =
                    FileChannel.open(directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (!tryLock(channel)) {
                channel.close();
                throw new CommandFailure(
                        "the data in " + directory + " are in use by another workbench; wait for it, or"
                                + " choose another directory with --data");
            }
            DataSet dataSet = new DataSet(directory, derby, scale, channel);
            Disk.deleteTree(dataSet.runDirectory());
            return dataSet;
        } catch (IOException e) {
            throw new CommandFailure("cannot use " + directory + " for data: " + e, e);
        }
    }

    private static boolean tryLock(FileChannel channel) throws IOException {
        try {
            FileLock lock = channel.tryLock();
            return lock != null;
        } catch (OverlappingFileLockException e) {
            return false;
        }
    }

    /** Whether a whole database of this scale lies here; something else that lies here is an error. */
    boolean isLoaded() {
        if (!Files.exists(marker())) {
            if (Files.exists(database())) {
                throw new CommandFailure("the data in " + directory
                        + " are half-loaded, because loading was broken off; delete that directory and run again");
            }
            return false;
        }
        Marker found = readMarker();
        if (found.format() != FORMAT
                || !found.scale().equals(scale)
                || !found.derby().equals(derby)) {
            throw new CommandFailure("the data in " + directory + " are of another scale ("
                    + found.scale().warehouses() + " warehouses, seed "
                    + found.scale().seed() + ", Derby " + found.derby() + ") than asked for (" + scale.warehouses()
                    + " warehouses, seed " + scale.seed() + ", Derby " + derby
                    + "); delete that directory and run again");
        }
        return true;
    }

    Marker readMarker() {
        try {
            return JSON.readValue(marker().toFile(), Marker.class);
        } catch (IOException e) {
            throw new CommandFailure(marker() + " cannot be read; delete " + directory + " and run again", e);
        }
    }

    /** Says that all is loaded: the marker appears in one move. */
    void markLoaded(long allocatedPages) throws IOException {
        Path part = directory.resolve("loaded.json.part");
        JSON.writeValue(part.toFile(), new Marker(FORMAT, derby, scale, allocatedPages));
        Files.move(part, marker());
    }

    /** A fresh copy of the database with a place for {@code derby.properties} beside it, cleaned up in any event. */
    Path copyForRun(CleanUp cleanUp) throws IOException {
        Path run = runDirectory();
        cleanUp.add(run);
        Files.createDirectories(run);
        Disk.copyTree(database(), run.resolve("database"));
        return run;
    }

    Path runDirectory() {
        return directory.resolve("run");
    }

    Path database() {
        return directory.resolve("database");
    }

    Path directory() {
        return directory;
    }

    Scale scale() {
        return scale;
    }

    private Path marker() {
        return directory.resolve("loaded.json");
    }

    /** Lets go of the directory; the lock file stays, since deleting it could take another's lock away. */
    @Override
    public void close() {
        try {
            lock.close();
        } catch (IOException e) {
            // it goes with the process at the latest
        }
    }
}
