// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.io;

import java.io.IOException;
import java.lang.ref.Cleaner;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;

/**
 * Opens a file of pages: checks what it is, creates it if that was requested, adds it to {@link OpenFiles}, opens it,
 * checks that it is the same file still, and locks it. A failure undoes the steps before it.
 */
final class FileOpening {
    private final Path path;
    private final int pageBytes;
    private final Set<FileOption> options;
    private final boolean writable;
    private final boolean locks;
    private final boolean direct;

    /** That of a file which this has created; open until the file has its entry, since others may have locked it. */
    private Descriptor creator;

    /** Whether a failure deletes the file. */
    private boolean created;

    private FileChannels channels;
    private Descriptor first;
    private Cleaner.Cleanable entry;

    /**
     * A file that was opened.
     *
     * @param length its length in bytes
     * @param blockBytes the size of the blocks that its channels move: 1 unless I/O is direct
     * @param created whether this open has made the file
     */
    record Opened(FileChannels channels, long length, int blockBytes, boolean created) {}

    private FileOpening(Path path, int pageBytes, Set<FileOption> options) {
        this.path = path;
        this.pageBytes = pageBytes;
        this.options = options;
        this.direct = options.contains(FileOption.DIRECT);
        this.writable = !options.contains(FileOption.READ_ONLY);
        this.locks = !options.contains(FileOption.NO_LOCK);
    }

    /**
     * Opens a file.
     *
     * @param file the file
     * @param pageBytes the size of a page
     * @param options how
     * @param count the greatest number of channels
     * @return its channels
     * @throws IOException if that failed
     */
    static Opened open(Path file, int pageBytes, Set<FileOption> options, int count) throws IOException {
        return new FileOpening(file.toAbsolutePath(), pageBytes, options).open(count);
    }

    private Opened open(int count) throws IOException {
        Opened opened = null;
        try {
            BasicFileAttributes found = attributes();
            if (found == null && mayCreate()) {
                found = create();
            }
            if (found == null) {
                throw noSuchFile();
            }
            if (creator == null && options.contains(FileOption.CREATE_NEW)) {
                throw new FileAlreadyExistsException(
                        path.toString(),
                        null,
                        "the file exists; open it without FileOption.CREATE_NEW, or choose another");
            }
            if (!found.isRegularFile()) {
                throw new IOException("cannot open " + path + ": it is "
                        + (found.isDirectory() ? "a folder" : "a device, a pipe or a socket")
                        + ", not a file of pages");
            }
            opened = open(found, count);
            return opened;
        } finally {
            if (opened == null) {
                undo();
            }
        }
    }

    private boolean mayCreate() {
        return options.contains(FileOption.CREATE) || options.contains(FileOption.CREATE_NEW);
    }

    /** {@return those of the file to which the name leads, or null if there is none} */
    private BasicFileAttributes attributes() throws IOException {
        try {
            return Files.readAttributes(path, BasicFileAttributes.class);
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    /** Creates the file, unless another thread or process has just done so; {@return the attributes of the file} */
    private BasicFileAttributes create() throws IOException {
        try {
            creator = Descriptor.openUninterruptible(path, true, StandardOpenOption.CREATE_NEW);
            created = true;
        } catch (FileAlreadyExistsException e) {
            if (Files.isSymbolicLink(path) && attributes() == null) {
                throw danglingLink();
            }
            return attributes();
        }
        return attributes();
    }

    private NoSuchFileException danglingLink() throws IOException {
        return new NoSuchFileException(
                path.toString(),
                Files.readSymbolicLink(path).toString(),
                "it is a link to a file that does not exist; create that file, or remove the link");
    }

    private NoSuchFileException noSuchFile() throws IOException {
        if (Files.isSymbolicLink(path)) {
            return danglingLink();
        }
        return new NoSuchFileException(
                path.toString(),
                null,
                mayCreate()
                        ? "another thread or process deletes it at the same time"
                        : "there is no such file; open it with FileOption.CREATE to create it");
    }

    private Opened open(BasicFileAttributes found, int count) throws IOException {
        Object fileKey = found.fileKey();
        Object key = fileKey == null ? path.toRealPath() : fileKey;
        channels = new FileChannels(path, fileKey, writable, count, direct);
        entry = OpenFiles.add(path, key, locks, channels);
        if (creator != null) {
            FileChannels.forceDirectory(path.toRealPath().getParent());
        }
        int blockBytes = direct ? DirectIo.blockBytes(path, pageBytes) : 1;
        first = direct ? openDirectly() : Descriptor.open(path, writable);
        if (!channels.isSameFile()) { // then neither the key nor the length is that of the file which is open
            OpenFiles.addStray(first); // perhaps one of a file that another store has
            first = null;
            created = false;
            throw new NoSuchFileException(
                    path.toString(), null, "another program has deleted or replaced it while it was opened");
        }
        if (creator != null) {
            creator.close(); // before there is a lock to lose
        }
        if (locks) {
            lock(first);
        }
        if (creator == null && writable && found.size() == 0) { // whoever created it may have ended before that
            FileChannels.forceDirectory(path.toRealPath().getParent());
        }
        channels.begin(first, entry);
        long length = locks ? channels.apply(FileChannel::size) : found.size(); // others may have written before
        return new Opened(channels, length, blockBytes, created);
    }

    private Descriptor openDirectly() throws IOException {
        OpenOption direct = DirectIo.option();
        try {
            return Descriptor.openUninterruptible(path, writable, direct);
        } catch (UnsupportedOperationException | IOException e) {
            Descriptor.open(path, writable).close(); // fails if the cause is another one; no store has the file
            throw DirectIo.refused(path, e);
        }
    }

    private void lock(Descriptor descriptor) throws IOException {
        boolean locked;
        try {
            locked = descriptor.tryLock();
        } catch (OverlappingFileLockException e) {
            OpenFiles.addStray(first); // to close it would drop that lock
            first = null;
            throw new IOException(
                    "cannot open " + path + ": it is locked already in this JVM, by a channel that is no"
                            + " store, or by a store of another class loader after the system properties were"
                            + " replaced; close that one first",
                    e);
        } catch (IOException e) {
            throw new IOException(
                    "cannot lock " + path + ": " + e.getMessage() + "; if its file system has no locks,"
                            + " and nobody else uses the file, open it with FileOption." + FileOption.NO_LOCK,
                    e);
        }
        if (!locked) {
            created = false; // it is the other's
            throw new IOException("cannot open " + path + ": it is in use by another process, which holds a lock on it;"
                    + " end that process first");
        }
    }

    /** Deletes a file that was created, and closes what was opened, whatever fails: the caller throws why. */
    private void undo() {
        try {
            if (created && entry != null && channels.isSameFile() && Files.size(path) == 0) { // no other store has it
                Files.delete(path);
            }
        } catch (IOException e) {
            // the file has vanished, or stays as an empty one
        }
        close(first);
        if (entry != null) {
            close(creator);
            entry.clean();
        } else if (creator != null) {
            OpenFiles.addStray(creator);
        }
    }

    private static void close(Descriptor descriptor) {
        try {
            if (descriptor != null) {
                descriptor.close();
            }
        } catch (IOException e) {
            // the caller throws why the file could not be opened
        }
    }
}
