// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.io;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Channels of one file, which outlive interrupts.
 *
 * <p>A {@link FileChannel} registers each thread inside it under a monitor, for which concurrent readers contend. So
 * there are several channels, and a thread uses the one that its id selects. Each is opened when a thread first uses
 * it; if it cannot be, since the file was renamed, or too many files are open, the thread shares one that is open.
 *
 * <p>An interrupt of a thread that is inside a channel, or enters it, closes the channel for every thread. So the flag
 * is cleared before a call and set again after it; a thread that finds its channel closed nevertheless opens another in
 * its place, with the same options, checks that it is the same file still, and tries again.
 *
 * <p>Thread-safe. {@code channels} is read with volatile order by all threads, and written under the lock.
 */
final class FileChannels {
    /** The number of times that one call opens a closed channel again before it fails. */
    private static final int GREATEST_REOPENS = 10_000;

    private final Path path;
    private final Set<OpenOption> options;
    /** Never used, so never closed by an interrupt: as long as it is open no other file can be taken for this one. */
    private final FileChannel anchor;

    private final Object fileKey;
    private final AtomicReferenceArray<FileChannel> channels;
    private final ReentrantLock reopening = new ReentrantLock();
    private boolean closed;

    /** An operation on a channel; repeated from the beginning if the channel was closed meanwhile. */
    interface Operation {
        long apply(FileChannel channel) throws IOException;
    }

    private FileChannels(Path path, Set<OpenOption> options, int count) throws IOException {
        this.path = path;
        this.options = options;
        this.channels = new AtomicReferenceArray<>(count);
        this.fileKey = keyOf(path);
        this.anchor = FileChannel.open(path, StandardOpenOption.READ); // last: nobody would close it
    }

    /**
     * Opens channels of a file.
     *
     * @param path the file, which exists; no symbolic link
     * @param options how each is opened, now and later
     * @param count how many
     * @return the channels
     * @throws IOException if one cannot be opened; none is open then
     * @throws UnsupportedOperationException if the file system does not have one of the options; none is open then
     */
    static FileChannels open(Path path, Set<OpenOption> options, int count) throws IOException {
        FileChannels opened = new FileChannels(path, options, count);
        boolean all = false;
        try {
            opened.channels.set(opened.stripe(), FileChannel.open(path, options)); // the others on demand
            all = true;
            return opened;
        } finally {
            if (!all) {
                opened.close(null);
            }
        }
    }

    static Object keyOf(Path file) throws IOException {
        return Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                .fileKey();
    }

    /**
     * {@return the calling thread's channel; null if none is open for it yet, or the thread is interrupted: then the
     * caller goes on to {@link #apply}, and also if the channel turns out to be closed}
     */
    FileChannel tryGet() {
        return Thread.currentThread().isInterrupted() ? null : channels.get(stripe());
    }

    /**
     * Does something with the calling thread's channel.
     *
     * @param operation what; done again if the channel was closed by an interrupt
     * @return its result
     * @throws IOException if it failed, or the channels are closed
     */
    long apply(Operation operation) throws IOException {
        boolean interrupted = Thread.interrupted(); // or the channel would be closed before anything is done
        int stripe = stripe();
        try {
            for (int reopens = 0; ; reopens++) {
                FileChannel channel = channels.get(stripe);
                if (channel == null) {
                    channel = openFirst(stripe);
                }
                try {
                    return operation.apply(channel);
                } catch (ClosedChannelException e) {
                    interrupted |= Thread.interrupted();
                    if (reopens == GREATEST_REOPENS) {
                        throw e;
                    }
                    reopen(stripe, channel);
                }
            }
        } finally {
            restore(interrupted);
        }
    }

    private int stripe() {
        return (int) (Thread.currentThread().getId() % channels.length());
    }

    private FileChannel openFirst(int stripe) throws IOException {
        reopening.lock();
        try {
            if (closed) {
                throw new IOException("the store is closed");
            }
            FileChannel channel = channels.get(stripe);
            if (channel == null) {
                channel = openOrShare();
                channels.set(stripe, channel);
            }
            return channel;
        } finally {
            reopening.unlock();
        }
    }

    private FileChannel openOrShare() throws IOException {
        try {
            return openSameFile();
        } catch (IOException e) {
            for (int i = 0; i < channels.length(); i++) {
                if (channels.get(i) != null) {
                    return channels.get(i);
                }
            }
            throw e;
        }
    }

    /** Opens a channel, if the path still leads to the file. */
    private FileChannel openSameFile() throws IOException {
        FileChannel opened = FileChannel.open(path, options);
        boolean same = false;
        try {
            same = isSameFile();
        } finally {
            if (!same) {
                opened.close();
            }
        }
        if (!same) {
            throw new IOException("the channel was closed by an interrupt, and another file has the name now");
        }
        return opened;
    }

    @SuppressWarnings("ReferenceEquality") // the very channel
    private void reopen(int stripe, FileChannel found) throws IOException {
        reopening.lock();
        try {
            if (closed) {
                throw new IOException("the store is closed");
            }
            if (channels.get(stripe) == found) {
                channels.set(stripe, openSameFile());
            }
        } finally {
            reopening.unlock();
        }
    }

    /**
     * {@return whether the path still leads to the file that was opened}
     *
     * @throws IOException if that cannot be found out
     */
    boolean isSameFile() throws IOException {
        return fileKey == null || fileKey.equals(keyOf(path));
    }

    /**
     * Forces a directory, so that the names in it are there after a crash.
     *
     * @param directory the directory
     * @throws IOException if that failed
     */
    static void forceDirectory(Path directory) throws IOException {
        if (System.getProperty("os.name").startsWith("Windows")) {
            return; // which opens no directories, and needs no force of one
        }
        boolean interrupted = false;
        try {
            for (int tries = 0; ; tries++) {
                try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
                    channel.force(true);
                    return;
                } catch (ClosedChannelException e) {
                    interrupted |= Thread.interrupted();
                    if (tries == GREATEST_REOPENS) {
                        throw e;
                    }
                }
            }
        } finally {
            restore(interrupted);
        }
    }

    boolean isClosed() {
        reopening.lock();
        try {
            return closed;
        } finally {
            reopening.unlock();
        }
    }

    /**
     * Closes all of them, for good.
     *
     * @param before a failure to be handed on, or null
     * @return it, or else the first failure of these, or null
     */
    IOException close(IOException before) {
        reopening.lock();
        try {
            closed = true;
            IOException failure = before;
            for (int i = 0; i < channels.length(); i++) {
                failure = close(channels.get(i), failure);
            }
            return close(anchor, failure);
        } finally {
            reopening.unlock();
        }
    }

    /**
     * Closes a channel.
     *
     * @param channel the channel, or null
     * @param before a failure to be handed on, or null
     * @return it, or else the failure of this, or null
     */
    static IOException close(FileChannel channel, IOException before) {
        try {
            if (channel != null) {
                channel.close();
            }
            return before;
        } catch (IOException e) {
            return before == null ? e : before;
        }
    }

    /** {@return the number of channels that were opened on demand} */
    int opened() {
        Set<FileChannel> distinct = new HashSet<>();
        for (int i = 0; i < channels.length(); i++) {
            distinct.add(channels.get(i));
        }
        distinct.remove(null);
        return distinct.size();
    }

    /** As if a thread had been interrupted in each. */
    void closeForTest() throws IOException {
        for (int i = 0; i < channels.length(); i++) {
            if (channels.get(i) != null) {
                channels.get(i).close();
            }
        }
    }

    /**
     * Sets the calling thread's flag again.
     *
     * @param interrupted whether it was set
     */
    static void restore(boolean interrupted) {
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
