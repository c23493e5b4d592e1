// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.lucene.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * A control group of one process, whose page cache is kept at a size: the limit is the memory that the process needs
 * for itself, and that size. The first part changes while the process runs, above all with the JVM's compiler, so the
 * limit follows it. A process that needs more at once waits, and is not killed: version 1 of control groups has {@code
 * oom_control} for that, version 2 the limit {@code high}.
 *
 * @param request a file that the process makes when the limit is to begin; it is deleted when it has
 */
record MemoryGroup(Path directory, long pageCacheBytes, Path request) {
    private static final String LIMIT_1 = "memory.limit_in_bytes";
    private static final String LIMIT_2 = "memory.high";
    private static final long POLL_NANOS = 20_000_000;

    /** Whether this user may limit the memory of the group. */
    boolean canBeLimited() {
        return Files.isWritable(directory.resolve(LIMIT_1)) || Files.isWritable(directory.resolve(LIMIT_2));
    }

    /** Makes the directory. The group has no limit yet, and does not swap. */
    void make() throws IOException {
        Files.createDirectory(directory);
        write("memory.swappiness", 0);
        write("memory.swap.max", 0);
        write("memory.oom_control", 1);
    }

    private void write(String name, long value) throws IOException {
        if (Files.isWritable(directory.resolve(name))) {
            Files.writeString(directory.resolve(name), Long.toString(value));
        }
    }

    /** Sets the limit; throws if the system could not reclaim as much at once, and has to be tried again. */
    void limit() throws IOException {
        write(isVersion1() ? LIMIT_1 : LIMIT_2, usedBytes() - cachedBytes() + pageCacheBytes);
    }

    private boolean isVersion1() {
        return Files.exists(directory.resolve(LIMIT_1));
    }

    private long cachedBytes() throws IOException {
        String field = isVersion1() ? "total_cache " : "file ";
        for (String line : Files.readAllLines(directory.resolve("memory.stat"))) {
            if (line.startsWith(field)) {
                return Long.parseLong(line.substring(field.length()));
            }
        }
        throw new IOException(directory + " has no " + field);
    }

    /** Page cache included. */
    long usedBytes() throws IOException {
        Path used = directory.resolve(isVersion1() ? "memory.usage_in_bytes" : "memory.current");
        return Long.parseLong(Files.readString(used).strip());
    }

    /** Asks for the limit, in a process of the group, and waits until it is in force. */
    void awaitLimit() throws IOException {
        Files.createFile(request);
        while (Files.exists(request)) {
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    /** The beginning of a command that joins the group before it becomes the command that follows. */
    List<String> within() {
        return List.of(
                "/bin/sh",
                "-c",
                "echo $$ > \"$0\" && exec \"$@\"",
                directory.resolve("cgroup.procs").toString());
    }
}
