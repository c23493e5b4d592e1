// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.clockhand.workbench.environment.CleanUp;
import io.clockhand.workbench.environment.CommandFailure;
import io.clockhand.workbench.environment.Disk;
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
 *     loaded.json  written last: the description of the content
 *     run/         the copy of a run, deleted after it
 * </pre>
 */
public final class DataSet implements AutoCloseable {
    /**
     * The content, loaded or not yet.
     *
     * @param label begins the name of the directory
     * @param scale how much it is: a record whose text says it, and that JSON can keep
     * @param seed of everything drawn while loading, also a component of the scale
     */
    public record Content(String label, Record scale, long seed) {}

    /**
     * The marker's content.
     *
     * @param format of the files that this class writes; 1 so far
     * @param allocatedPages of all tables and indexes
     */
    public record Marker(int format, String derby, JsonNode scale, long allocatedPages) {}

    private static final int FORMAT = 1;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path directory;
    private final String derby;
    private final Content content;
    private final FileChannel lock;

    private DataSet(Path directory, String derby, Content content, FileChannel lock) {
        this.directory = directory;
        this.derby = derby;
        this.content = content;
        this.lock = lock;
    }

    /** Takes the directory for this process, or fails in one sentence. */
    public static DataSet lock(Path data, Content content, String derbyVersion) {
        String derby = derbyVersion.replaceAll("^(\\d+\\.\\d+).*", "$1");
        Path directory = data.resolve(content.label() + "-derby" + derby + "-4k-seed" + content.seed());
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
            DataSet dataSet = new DataSet(directory, derby, content, channel);
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
    public boolean isLoaded() {
        if (!Files.exists(marker())) {
            if (Files.exists(database())) {
                throw new CommandFailure("the data in " + directory
                        + " are half-loaded, because loading was broken off; delete that directory and run again");
            }
            return false;
        }
        Marker found = readMarker();
        if (found.format() != FORMAT
                || !scale(found).equals(content.scale())
                || !found.derby().equals(derby)) {
            throw new CommandFailure("the data in " + directory + " are of another scale ("
                    + describe(scale(found), found.scale().path("seed").asLong(), found.derby())
                    + ") than asked for (" + describe(content.scale(), content.seed(), derby)
                    + "); delete that directory and run again");
        }
        return true;
    }

    private static String describe(Record scale, long seed, String derby) {
        return scale + ", seed " + seed + ", Derby " + derby;
    }

    private Record scale(Marker marker) {
        try {
            return JSON.treeToValue(marker.scale(), content.scale().getClass());
        } catch (JsonProcessingException e) {
            throw unreadable(e);
        }
    }

    private CommandFailure unreadable(IOException cause) {
        return new CommandFailure(marker() + " cannot be read; delete " + directory + " and run again", cause);
    }

    public Marker readMarker() {
        try {
            return JSON.readValue(marker().toFile(), Marker.class);
        } catch (IOException e) {
            throw unreadable(e);
        }
    }

    /** Says that all is loaded: the marker appears in one move. */
    public void markLoaded(long allocatedPages) throws IOException {
        Path part = directory.resolve("loaded.json.part");
        JSON.writeValue(part.toFile(), new Marker(FORMAT, derby, JSON.valueToTree(content.scale()), allocatedPages));
        Files.move(part, marker());
    }

    /**
     * A fresh copy of the database, in a directory of its own that is cleaned up in any event.
     *
     * @param number of the contender among those that live at once, from 1
     */
    public Path copyForRun(CleanUp cleanUp, int number) throws IOException {
        Path run = number == 1 ? runDirectory() : directory.resolve("run-" + number);
        cleanUp.add(run);
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
