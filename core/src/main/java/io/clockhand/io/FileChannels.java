// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.io;

import java.io.Closeable;
import java.io.IOException;
import java.lang.ref.Cleaner;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Channels of one file, which outlive interrupts.
 *
 * <p>A {@link FileChannel} registers each thread inside it under a monitor, for which concurrent readers contend. So
 * there are several channels, and a thread uses the one that its id selects. Each is opened when a thread first uses
 * it; if it cannot be, since too many files are open for instance, the thread shares one that is open.
 *
 * <p>An interrupt of a thread that is inside a channel, or enters it, closes the channel for every thread. So the flag
 * is cleared before a call and set again after it; a thread that finds its channel closed nevertheless opens another in
 * its place, which no interrupt closes, and tries again. The descriptor of the first one stays open: see {@link
 * Descriptor}. So there are at most two descriptors for each channel.
 *
 * <p>A file that was renamed is found by a descriptor of this process that leads to it, where the system shows these
 * in {@value #DESCRIPTORS}.
 *
 * <p>Thread-safe. {@code channels} is read with volatile order by all threads, and written under the lock, which guards
 * the other fields.
 */
final class FileChannels {
    private static final String DESCRIPTORS = "/proc/self/fd";
    /** The number of times that one call opens a closed channel again before it fails. */
    private static final int GREATEST_REOPENS = 10_000;
    /** How long a close waits for forces in progress, in nanoseconds. */
    private static final long FORCE_WAIT = TimeUnit.SECONDS.toNanos(1);

    private final Path path;
    /** Null on file systems whose files have none, as on Windows: there an open file keeps its name. */
    private final Object fileKey;

    private final boolean writable;
    private final boolean direct;
    private final AtomicReferenceArray<FileChannel> channels;
    private final ReentrantLock opening = new ReentrantLock();
    /** Signalled when no thread forces the file any more. */
    private final Condition noForces = opening.newCondition();

    private final List<Descriptor> descriptors = new ArrayList<>();
    private Cleaner.Cleanable entry;
    /** The number of threads that force the file by a descriptor. The last one closes them all if it is closed. */
    private int forces;

    private boolean closed;

    /** An operation on a channel; repeated from the beginning if the channel was closed meanwhile. */
    interface Operation {
        long apply(FileChannel channel) throws IOException;
    }

    /**
     * Opens nothing yet.
     *
     * @param path the file
     * @param fileKey what identifies it whatever its name, or null
     * @param writable whether it is written, too
     * @param count the greatest number of channels
     * @param direct whether each is one for direct I/O
     */
    FileChannels(Path path, Object fileKey, boolean writable, int count, boolean direct) {
        this.path = path;
        this.fileKey = fileKey;
        this.writable = writable;
        this.direct = direct;
        this.channels = new AtomicReferenceArray<>(count);
    }

    /**
     * Begins with the channel of one descriptor.
     *
     * @param first open, to be closed with this
     * @param ended run after the last descriptor was closed
     */
    void begin(Descriptor first, Cleaner.Cleanable ended) {
        descriptors.add(first);
        entry = ended;
        channels.set(stripe(), first.channel()); // the others on demand
    }

    Path path() {
        return path;
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
    @SuppressWarnings("ReferenceEquality") // the very channel
    long apply(Operation operation) throws IOException {
        boolean interrupted = Thread.interrupted(); // or the channel would be closed before anything is done
        int stripe = stripe();
        try {
            FileChannel found = null;
            for (int reopens = 0; ; reopens++) {
                FileChannel channel = channels.get(stripe);
                if (channel == null || channel == found) {
                    channel = open(stripe, found);
                }
                found = channel;
                try {
                    return operation.apply(channel);
                } catch (ClosedChannelException e) {
                    interrupted |= Thread.interrupted();
                    if (reopens == GREATEST_REOPENS) {
                        throw e;
                    }
                }
            }
        } finally {
            restore(interrupted);
        }
    }

    /**
     * Forces the file, once: after a failure the system may have dropped what it could not write, and another force
     * would succeed. A channel that an interrupt closes would hide the failure behind the interrupt.
     *
     * @throws IOException if that failed; or, on file systems whose channels interrupts close, if one came meanwhile
     */
    void force() throws IOException {
        Descriptor reliable = beginForce();
        if (reliable == null) {
            apply(FileChannels::forceOnce);
            return;
        }
        boolean interrupted = Thread.interrupted();
        try {
            reliable.force();
        } catch (IOException e) {
            throw isClosed() ? new IOException("the store is closed", e) : e;
        } finally {
            try {
                endForce();
            } finally {
                restore(interrupted);
            }
        }
    }

    /** Forces by a channel that is open: {@link #apply} opens one that is closed again. */
    static long forceOnce(FileChannel channel) throws IOException {
        if (!channel.isOpen()) {
            throw new ClosedChannelException();
        }
        try {
            channel.force(true);
            return 0;
        } catch (ClosedChannelException e) {
            throw new IOException("an interrupt came meanwhile, so it is not known whether that failed", e);
        }
    }

    /**
     * {@return a descriptor that tells each failure of a force, which stays open until {@link #endForce}, since the
     * system gives the number of a closed one to the next file that is opened; null if there is none}
     */
    Descriptor beginForce() throws IOException {
        opening.lock();
        try {
            checkOpen();
            Descriptor reliable = reliableDescriptor();
            if (reliable != null) {
                forces++;
            }
            return reliable;
        } finally {
            opening.unlock();
        }
    }

    /** Closes the descriptors if that was asked for meanwhile. Of a failure the force has told what matters. */
    void endForce() {
        JournalWriters.lockForRelease(opening);
        try {
            forces--;
            if (forces == 0 && closed) {
                closeDescriptors(null);
                noForces.signalAll();
            }
        } finally {
            opening.unlock();
        }
    }

    private Descriptor reliableDescriptor() {
        for (Descriptor descriptor : descriptors) {
            if (descriptor.forcesReliably()) {
                return descriptor;
            }
        }
        if (!Descriptor.mayBeInterrupted(path)) {
            try {
                openSameFile(true, direct);
                return descriptors.get(descriptors.size() - 1);
            } catch (IOException e) {
                // too many files are open, or the file was renamed
            }
        }
        return null;
    }

    private int stripe() {
        return (int) (Thread.currentThread().getId() % channels.length());
    }

    /** Opens a channel in the place of one that an interrupt has closed, or of none. */
    @SuppressWarnings("ReferenceEquality") // the very channel
    private FileChannel open(int stripe, FileChannel found) throws IOException {
        opening.lock();
        try {
            checkOpen();
            FileChannel channel = channels.get(stripe);
            if (channel == found) {
                channel = openOrShare(found != null);
                channels.set(stripe, channel);
            }
            return channel;
        } finally {
            opening.unlock();
        }
    }

    private void checkOpen() throws IOException {
        if (closed) {
            throw new IOException("the store is closed");
        }
    }

    private FileChannel openOrShare(boolean uninterruptible) throws IOException {
        try {
            return openSameFile(uninterruptible, direct);
        } catch (IOException e) {
            for (int i = 0; i < channels.length(); i++) {
                FileChannel other = channels.get(i);
                if (other != null && other.isOpen()) {
                    return other;
                }
            }
            throw e;
        }
    }

    /** Opens one more descriptor of the file, whatever its name is now. */
    private FileChannel openSameFile(boolean uninterruptible, boolean directly) throws IOException {
        Path name = isSameFile() ? path : ownDescriptor();
        if (name == null) {
            throw new IOException("an interrupt has closed the channel, and " + path
                    + " was deleted or renamed, so that" + " no other can be opened");
        }
        Descriptor opened = directly
                ? Descriptor.openUninterruptible(name, writable, DirectIo.option())
                : uninterruptible ? Descriptor.openUninterruptible(name, writable) : Descriptor.open(name, writable);
        boolean same = false;
        try {
            same = isSameFile(name);
        } finally {
            if (!same) {
                OpenFiles.addStray(opened); // perhaps one of a file that another store has
            }
        }
        if (!same) {
            throw new IOException(path + " was replaced or renamed in this moment");
        }
        descriptors.add(opened);
        return opened.channel();
    }

    /**
     * Opens a channel for direct I/O, besides the others, and closed with them.
     *
     * @return the channel
     * @throws IOException if that failed
     * @throws UnsupportedOperationException if the file system has no direct I/O
     */
    FileChannel openDirectly() throws IOException {
        opening.lock();
        try {
            checkOpen();
            return openSameFile(true, true);
        } finally {
            opening.unlock();
        }
    }

    // --- the file behind the name ------------------------------------------------------------------------------------

    /** {@return the key of a file, or null if it has none} */
    private static Object keyOf(Path file) throws IOException {
        return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
    }

    /**
     * {@return whether the path still leads to the file that was opened}
     *
     * @throws IOException if that cannot be found out
     */
    boolean isSameFile() throws IOException {
        return isSameFile(path);
    }

    private boolean isSameFile(Path name) throws IOException {
        try {
            return fileKey == null || fileKey.equals(keyOf(name));
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    /** {@return a path that leads to the file by a descriptor, or null if there is none} */
    private Path ownDescriptor() {
        try (DirectoryStream<Path> all = Files.newDirectoryStream(Path.of(DESCRIPTORS))) {
            for (Path descriptor : all) {
                if (isOwn(descriptor)) {
                    return descriptor;
                }
            }
        } catch (IOException | RuntimeException e) {
            // this system does not show them
        }
        return null;
    }

    private boolean isOwn(Path descriptor) {
        try {
            return fileKey.equals(keyOf(descriptor));
        } catch (IOException e) {
            return false; // closed meanwhile
        }
    }

    /**
     * Checks that the file has a name still, so that what was written can be found when it is opened again.
     *
     * @throws IOException if it was deleted; or its name has gone, and the system does not show whether it has another
     */
    void checkNamed() throws IOException {
        if (isSameFile()) {
            return;
        }
        Path descriptor = ownDescriptor();
        if (descriptor == null) {
            throw new IOException("the file was deleted or renamed while it was open, so its changes may be lost");
        }
        if ((int) Files.getAttribute(descriptor, "unix:nlink") == 0) {
            throw new IOException("the file was deleted or replaced while it was open, so its changes are lost");
        }
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

    // --- the end -----------------------------------------------------------------------------------------------------

    boolean isClosed() {
        opening.lock();
        try {
            return closed;
        } finally {
            opening.unlock();
        }
    }

    /**
     * Closes all of them, for good. A force in progress is waited for briefly; then the descriptors, and with them the
     * lock, stay until it has ended. {@return the first failure, or null}
     */
    IOException close() {
        opening.lock();
        try {
            closed = true;
            for (int i = 0; i < channels.length(); i++) {
                channels.set(i, null); // those that stay open for a force, too
            }
            IOException failure = null;
            for (Descriptor descriptor : descriptors) {
                failure = close(descriptor::closeChannel, failure); // first: the lock goes with the first descriptor
            }
            awaitForces();
            return forces == 0 ? closeDescriptors(failure) : failure;
        } finally {
            opening.unlock();
        }
    }

    private void awaitForces() {
        long deadline = System.nanoTime() + FORCE_WAIT;
        boolean interrupted = false;
        try {
            for (long left = FORCE_WAIT; forces > 0 && left > 0; left = deadline - System.nanoTime()) {
                try {
                    noForces.awaitNanos(left);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } catch (OutOfMemoryError e) {
            // no memory for a place in the queue: the force closes the descriptors
        } finally {
            restore(interrupted);
        }
    }

    private IOException closeDescriptors(IOException before) {
        IOException failure = before;
        for (Descriptor descriptor : descriptors) {
            failure = close(descriptor, failure);
        }
        descriptors.clear();
        if (entry != null) {
            entry.clean(); // last: others may open the file then
        }
        return failure;
    }

    private static IOException close(Closeable closeable, IOException before) {
        try {
            closeable.close();
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

    /** {@return whether a channel was opened since the first one; for tests} */
    boolean opensAgain() {
        opening.lock();
        try {
            return descriptors.size() > 1;
        } finally {
            opening.unlock();
        }
    }

    /** As if a thread had been interrupted in each. */
    void closeForTest() throws IOException {
        for (int i = 0; i < channels.length(); i++) {
            FileChannel channel = channels.get(i);
            if (channel != null && !(channel instanceof Uninterruptible)) {
                channel.close();
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
