// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The lock file next to a file of pages.
 *
 * <p>It is deleted with its file, while its lock is held. A store that opened it before then locks a file without a
 * name, while others lock a new one. So a store checks, when it has the lock, that the name leads to the file it has
 * locked, and else tries again. On file systems whose files have no key, as on Windows, lock files stay: there the name
 * of an open file would stay, too, and exclude others. Thread-safe.
 */
final class LockFile {
    private static final int MOST_TRIES = 1_000;
    /** The lock file has fewer bytes while it is checked, and then none. */
    private static final int GREATEST_BYTES = 4096;

    private LockFile() {}

    /** {@return the lock file of a file, opened and locked} */
    static FileChannel lock(Path file) throws IOException {
        return open(file, false);
    }

    /** {@return a lock that other readers may share, or null where no lock file can be opened} */
    static FileChannel lockToRead(Path file) throws IOException {
        return open(file, true);
    }

    private static FileChannel open(Path file, boolean shared) throws IOException {
        boolean interrupted = false;
        try {
            for (int tries = 0; tries < MOST_TRIES; tries++) {
                try {
                    FileChannel channel = FileChannel.open(
                            lockFile(file),
                            StandardOpenOption.CREATE,
                            StandardOpenOption.READ,
                            StandardOpenOption.WRITE);
                    if (tryLock(file, channel, shared)) {
                        return channel;
                    }
                } catch (ClosedChannelException e) { // by an interrupt, and the lock has gone with the channel
                    interrupted |= Thread.interrupted();
                } catch (FileSystemException e) { // no write permission
                    if (!shared) {
                        throw e;
                    }
                    return openToRead(file);
                }
            }
            throw new IOException("cannot open " + file + ": other stores open and delete it again and again, or other"
                    + " threads interrupt this one");
        } finally {
            FileChannels.restore(interrupted);
        }
    }

    private static FileChannel openToRead(Path file) throws IOException {
        if (Files.notExists(lockFile(file))) {
            return null;
        }
        FileChannel channel = FileChannel.open(lockFile(file), StandardOpenOption.READ);
        lock(file, channel, true);
        return channel;
    }

    /**
     * Locks a lock file, or throws; the channel is closed then. {@return false if it is not there any more: a store
     * that was deleted since it was opened has deleted it, and others lock another one}
     */
    private static boolean tryLock(Path file, FileChannel channel, boolean shared) throws IOException {
        lock(file, channel, shared);
        boolean valid = false;
        try {
            valid = isLockFile(file, channel);
        } finally {
            if (!valid) {
                channel.close();
            }
        }
        return valid;
    }

    /** {@return whether the name of the lock file leads to the open one} A change of its size shows it. */
    private static boolean isLockFile(Path file, FileChannel channel) throws IOException {
        try {
            if (FileChannels.keyOf(lockFile(file)) == null) {
                return true; // a file system on which lock files stay
            }
        } catch (NoSuchFileException e) {
            return false;
        }
        long size = ThreadLocalRandom.current().nextInt(1, GREATEST_BYTES);
        try {
            channel.write(ByteBuffer.allocate(1), size - 1);
        } catch (ClosedChannelException e) {
            throw e;
        } catch (IOException e) {
            return true; // the device is full: that a store was deleted at this very moment is not found out
        }
        try {
            return Files.size(lockFile(file)) == size;
        } catch (NoSuchFileException e) {
            return false;
        } finally {
            channel.truncate(0);
        }
    }

    /** Deletes the lock file of a file that is deleted, while its lock is held: later stores then lock another one. */
    static void delete(Path file) {
        try {
            if (FileChannels.keyOf(lockFile(file)) != null) {
                Files.delete(lockFile(file));
            }
        } catch (IOException e) {
            // it stays, and excludes nobody when it is closed
        }
    }

    private static Path lockFile(Path file) {
        return file.resolveSibling(file.getFileName() + ".lock");
    }

    private static void lock(Path file, FileChannel channel, boolean shared) throws IOException {
        boolean locked = false;
        try {
            locked = channel.tryLock(0, Long.MAX_VALUE, shared) != null;
            if (!locked) {
                throw new IOException(
                        "cannot open " + file + ": it is in use by another process, which holds a lock on "
                                + lockFile(file) + "; end that process first");
            }
        } catch (OverlappingFileLockException e) {
            throw new IOException(
                    "cannot open " + file + ": it is open already in this JVM, and one store, in one pool, may use a"
                            + " file; close that store first",
                    e);
        } finally {
            if (!locked) {
                channel.close();
            }
        }
    }
}
