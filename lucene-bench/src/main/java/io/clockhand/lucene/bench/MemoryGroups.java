// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.lucene.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Makes control groups of Linux that limit memory, of either version, and keeps up their limits. They lie in the group
 * of this process, or, where it cannot have groups, in one above it, as far as this user may make them.
 */
final class MemoryGroups implements AutoCloseable {
    private static final long TICK_NANOS = 20_000_000;
    private static final long RETRY_NANOS = 100_000_000;
    private static final int ATTEMPTS = 50;
    private static final long PROBE_SECONDS = 60;

    private final Path parent;
    private final List<MemoryGroup> groups = new CopyOnWriteArrayList<>();
    private final Thread hook = new Thread(this::remove, "memory groups");
    private volatile boolean closed;

    private MemoryGroups(Path parent) {
        this.parent = parent;
        Runtime.getRuntime().addShutdownHook(hook);
        Thread keeper = new Thread(this::keepLimits, "memory limits");
        keeper.setDaemon(true);
        keeper.start();
    }

    /** Empty if this system does not permit it. */
    static Optional<MemoryGroups> find() {
        try {
            return find(candidates(
                    Files.readAllLines(Path.of("/proc/self/cgroup")), Files.readAllLines(Path.of("/proc/mounts"))));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** The first directory in which a group can be made that a process can join. */
    static Optional<MemoryGroups> find(List<Path> candidates) {
        for (Path candidate : candidates) {
            try (MemoryGroups groups = new MemoryGroups(candidate)) {
                MemoryGroup group = groups.of(Path.of("probe"), 0);
                groups.make(group);
                List<String> probe = new ArrayList<>(group.within());
                probe.add("true");
                Process process = new ProcessBuilder(probe)
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
                if (process.waitFor(PROBE_SECONDS, TimeUnit.SECONDS)
                        && process.exitValue() == 0
                        && group.canBeLimited()) {
                    return Optional.of(new MemoryGroups(candidate));
                }
            } catch (IOException e) {
                // the next one
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        return Optional.empty();
    }

    /**
     * The directories of this process's group and of those above it.
     *
     * @param own the lines of {@code /proc/self/cgroup}, such as {@code 4:memory:/a/b} or {@code 0::/a/b}
     * @param mounts the lines of {@code /proc/mounts}
     */
    static List<Path> candidates(List<String> own, List<String> mounts) {
        List<Path> candidates = new ArrayList<>();
        for (String mount : mounts) {
            String[] field = mount.split(" ", -1);
            boolean first = field[2].equals("cgroup")
                    && List.of(field[3].split(",", -1)).contains("memory");
            if (first || field[2].equals("cgroup2")) {
                Path top = Path.of(field[1]);
                own.stream()
                        .map(line -> line.split(":", 3))
                        .filter(line -> line[1].equals(first ? "memory" : ""))
                        .map(line -> top.resolve(line[2].substring(1)).normalize())
                        .forEach(group -> {
                            for (Path at = group; at != null && at.startsWith(top); at = at.getParent()) {
                                candidates.add(at);
                            }
                        });
            }
        }
        return candidates;
    }

    /** The group, not yet made, of a process that has a directory for itself. */
    MemoryGroup of(Path home, long pageCacheBytes) {
        String name = "clockhand-" + ProcessHandle.current().pid() + "-" + home.getFileName();
        return new MemoryGroup(parent.resolve(name), pageCacheBytes, home.resolve("limit"));
    }

    /** Makes a group without a limit, until the request is there. */
    void make(MemoryGroup group) throws IOException {
        groups.add(group);
        group.make();
    }

    private void keepLimits() {
        List<MemoryGroup> limited = new ArrayList<>();
        while (!closed) {
            LockSupport.parkNanos(TICK_NANOS);
            for (MemoryGroup group : groups) {
                try {
                    boolean begins = Files.exists(group.request());
                    if (begins || limited.contains(group)) {
                        group.limit();
                    }
                    if (begins) {
                        limited.add(group);
                        Files.delete(group.request());
                    }
                } catch (IOException e) {
                    // the next time, unless the process has ended
                }
            }
        }
    }

    /** A group can be removed only when its processes have ended; one that is still in use then stays. */
    private void remove() {
        closed = true;
        for (MemoryGroup group : groups) {
            for (int attempt = 0; attempt < ATTEMPTS && Files.exists(group.directory()); attempt++) {
                try {
                    Files.delete(group.directory());
                } catch (IOException e) {
                    LockSupport.parkNanos(RETRY_NANOS);
                }
            }
        }
    }

    /** Removes the groups, whose processes must have ended. */
    @Override
    public void close() {
        remove();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // it runs already
        }
    }
}
