// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.environment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The child processes and working directories that must not outlive the command.
 *
 * <p>Closed at the end of the command, or by Ctrl-C: then a shutdown hook kills the children by their handles, waits
 * for their ends and deletes the directories. Thread-safe.
 */
public final class CleanUp implements AutoCloseable {
    private static final int DELETE_ATTEMPTS = 100;

    private final Set<Process> processes = new LinkedHashSet<>();
    private final Set<Path> directories = new LinkedHashSet<>();
    private final CountDownLatch interrupted = new CountDownLatch(1);
    private final Thread hook = new Thread(this::onShutdown, "clean up");

    public CleanUp() {
        Runtime.getRuntime().addShutdownHook(hook);
    }

    synchronized void add(Process process) {
        if (isInterrupted()) {
            process.destroyForcibly();
        }
        processes.add(process);
    }

    synchronized void remove(Process process) {
        processes.remove(process);
    }

    /** A directory, or a file, that need not exist yet; never returns if it is too late to delete it. */
    public void add(Path directory) {
        synchronized (this) {
            directories.add(directory);
        }
        holdIfInterrupted();
    }

    /** The directory is to stay. */
    public synchronized void keep(Path directory) {
        directories.remove(directory);
    }

    synchronized boolean remembers(Path directory) {
        return directories.contains(directory);
    }

    /** Deletes a directory before its time. */
    public void delete(Path directory) throws IOException {
        Disk.deleteTree(directory);
        keep(directory);
    }

    boolean isInterrupted() {
        return interrupted.getCount() == 0;
    }

    /**
     * Never returns if the JVM is going down: the death of a child that Ctrl-C has killed is not reported.
     *
     * @param expected whether a signal is likely to arrive in a moment, because a child has got it already
     */
    void holdIfInterrupted(boolean expected) throws InterruptedException {
        if (expected) {
            interrupted.await(2, TimeUnit.SECONDS);
        }
        holdIfInterrupted();
    }

    /** Never returns if the JVM is going down, since another exit then waits for ever. */
    public void holdIfInterrupted() {
        if (isInterrupted()) {
            System.exit(Child.FAILED);
        }
    }

    private void onShutdown() {
        interrupted.countDown();
        release();
    }

    @Override
    public void close() {
        if (!isInterrupted()) {
            Runtime.getRuntime().removeShutdownHook(hook);
            release();
        }
    }

    private void release() {
        Set<Process> running;
        Set<Path> left;
        synchronized (this) {
            running = Set.copyOf(processes);
            left = Set.copyOf(directories);
        }
        running.forEach(Process::destroyForcibly);
        running.forEach(process -> process.onExit().join());
        left.forEach(CleanUp::deleteForSure);
    }

    /** Another thread may still be filling it when the hook runs. */
    private static void deleteForSure(Path directory) {
        for (int attempt = 0; attempt < DELETE_ATTEMPTS && Files.exists(directory); attempt++) {
            try {
                Disk.deleteTree(directory);
            } catch (IOException e) {
                if (attempt == DELETE_ATTEMPTS - 1) {
                    System.err.println("workbench: cannot delete " + directory + ": " + e.getMessage());
                }
            }
        }
    }
}
