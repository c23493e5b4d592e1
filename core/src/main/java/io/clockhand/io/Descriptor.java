// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.io;

import java.io.Closeable;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.SyncFailedException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.AccessMode;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Set;

/**
 * An open descriptor of a file, and a channel for its pages. Only {@link #close} closes the descriptor: on POSIX
 * systems the lock that this process has on a file goes as soon as any descriptor of the file is closed.
 *
 * <p>An interrupt of a thread inside a {@link FileChannel} closes the channel. That of a {@link RandomAccessFile}
 * closes its file, whose {@code close} does nothing here until it is called from {@link #close}: so the descriptor
 * stays open, only its channel can be used no more. An {@link Uninterruptible} channel is closed by no interrupt: it
 * takes the place of one that was, and is used for direct I/O, for which a {@code RandomAccessFile} has no option. On
 * Windows, where a lock belongs to the descriptor with which it was acquired, and for file systems other than the
 * default one, the channel is one of {@link FileChannel#open}, and the lock has a descriptor of its own.
 *
 * <p>Not thread-safe, but for its channel.
 */
final class Descriptor implements Closeable {
    private static final boolean WINDOWS = System.getProperty("os.name").startsWith("Windows");
    private static final boolean LINUX = System.getProperty("os.name").startsWith("Linux");
    /** For a file that is there, but was not when it was opened. */
    private static final int TRIES = 100;
    /** The last byte that can be locked: no page lies there. Windows lets nobody read a byte that is locked. */
    private static final long LOCKED_BYTE = Long.MAX_VALUE - 1;

    private final Path path;
    private final boolean writable;
    private final FileChannel channel;
    /** Null unless the channel is that of a {@code RandomAccessFile}. */
    private final HeldFile file;
    /** For the lock; null until it is acquired. */
    private FileChannel locking;

    /** Stays open when its channel is closed. */
    private static final class HeldFile extends RandomAccessFile {
        /** Set when the channel is closed, so by the last thread that closes this. */
        private boolean ends;

        HeldFile(Path path, boolean writable) throws IOException {
            super(path.toFile(), writable ? "rw" : "r");
        }

        @Override
        public void close() throws IOException {
            if (ends) {
                super.close();
            }
        }

        void end() throws IOException {
            ends = true;
            close();
        }
    }

    private Descriptor(Path path, boolean writable, FileChannel channel, HeldFile file) {
        this.path = path;
        this.writable = writable;
        this.channel = channel;
        this.file = file;
    }

    /**
     * Opens a file that exists, for the quickest reads and writes through the operating system's cache. If it vanishes
     * in this moment, an empty one may be created in its place.
     *
     * @param path the file
     * @param writable whether it is written, too
     * @return the descriptor
     * @throws IOException if that failed
     */
    static Descriptor open(Path path, boolean writable) throws IOException {
        if (mayBeInterrupted(path)) {
            return new Descriptor(path, writable, FileChannel.open(path, options(writable)), null);
        }
        HeldFile file = null;
        for (int tries = 1; file == null; tries++) {
            try {
                file = new HeldFile(path, writable);
            } catch (FileNotFoundException e) { // of which the reason is in the message only
                path.getFileSystem()
                        .provider()
                        .checkAccess(
                                path,
                                writable
                                        ? new AccessMode[] {AccessMode.READ, AccessMode.WRITE}
                                        : new AccessMode[] {AccessMode.READ});
                if (tries == TRIES) { // or it was created, or replaced, in this moment
                    FileSystemException failure = new FileSystemException(path.toString(), null, e.getMessage());
                    failure.initCause(e);
                    throw failure;
                }
            }
        }
        return new Descriptor(path, writable, file.getChannel(), file);
    }

    /**
     * Opens a file, so that no interrupt closes its channel where that is possible.
     *
     * @param path the file
     * @param writable whether it is written, too
     * @param more options that the file system must have
     * @return the descriptor
     * @throws IOException if that failed
     * @throws UnsupportedOperationException if the file system does not have one of the options
     */
    static Descriptor openUninterruptible(Path path, boolean writable, OpenOption... more) throws IOException {
        Set<OpenOption> options = options(writable);
        options.addAll(Set.of(more));
        FileChannel channel =
                mayBeInterrupted(path) ? FileChannel.open(path, options) : Uninterruptible.open(path, options);
        return new Descriptor(path, writable, channel, null);
    }

    private static Set<OpenOption> options(boolean writable) {
        Set<OpenOption> options = new HashSet<>();
        options.add(StandardOpenOption.READ);
        if (writable) {
            options.add(StandardOpenOption.WRITE);
        }
        return options;
    }

    /** {@return whether interrupts close each channel of a file, since there is no other kind on its file system} */
    static boolean mayBeInterrupted(Path path) {
        return WINDOWS || !path.getFileSystem().equals(FileSystems.getDefault());
    }

    FileChannel channel() {
        return channel;
    }

    /** {@return whether {@link #force} tells each failure, whoever is interrupted} */
    boolean forcesReliably() {
        return channel instanceof Uninterruptible || (file != null && LINUX); // elsewhere sync may do less than force
    }

    /** Forces the file. An interrupt neither ends that nor hides its failure. */
    void force() throws IOException {
        if (file != null) {
            try {
                file.getFD().sync();
            } catch (SyncFailedException e) { // which does not tell why
                throw new IOException(
                        "the system has reported that the device did not take all changes; its log tells why", e);
            }
        } else {
            channel.force(true);
        }
    }

    /**
     * Locks the file: against writers, and if this descriptor is one for writing, against readers as well. The lock
     * goes with the descriptor.
     *
     * @return false if another process has locked it
     * @throws java.nio.channels.OverlappingFileLockException if somebody in this JVM has
     * @throws IOException if the file system has no locks, for instance
     */
    boolean tryLock() throws IOException {
        if (locking == null) {
            locking = lockingChannel();
        }
        FileLock lock = locking.tryLock(LOCKED_BYTE, 1, !writable);
        return lock != null;
    }

    private FileChannel lockingChannel() throws IOException {
        if (file == null) {
            return channel instanceof Uninterruptible ? channel : FileChannel.open(path, options(writable));
        }
        if (writable) {
            return new FileOutputStream(file.getFD()) {
                @Override
                public void close() {
                    // not the descriptor
                }
            }.getChannel();
        }
        return new FileInputStream(file.getFD()) {
            @Override
            public void close() {
                // not the descriptor
            }
        }.getChannel();
    }

    /** Waits for the threads inside the channel, and closes it, but not the descriptor, if that is possible. */
    void closeChannel() throws IOException {
        if (file != null) {
            channel.close();
        }
    }

    /** Closes the channel and the descriptor, and the lock goes. */
    @Override
    public void close() throws IOException {
        try {
            closeChannel();
        } finally {
            closeDescriptor();
        }
    }

    private void closeDescriptor() throws IOException {
        try {
            if (locking != null) {
                locking.close(); // first: the JDK forgets the lock only while the descriptor is open
            }
        } finally {
            if (file == null) {
                channel.close();
            } else {
                file.end();
            }
        }
    }
}
