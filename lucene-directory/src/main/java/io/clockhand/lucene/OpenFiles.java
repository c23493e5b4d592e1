// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.lucene;

import io.clockhand.ClockhandException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.apache.lucene.store.AlreadyClosedException;

/**
 * The files of a directory that are open in the pool. One that is deleted or replaced, by whomever, leaves as soon as
 * nobody uses it: when its last user ends, with the next list of the directory, or when its name is opened again.
 *
 * <p>A file that leaves is closed outside of the lock. If that fails it is tried again with the next file that leaves,
 * and when the directory is closed. Thread-safe.
 */
final class OpenFiles {
    private final Map<String, OpenFile> byName = new HashMap<>();
    /** They are not in the map, nobody uses them, and they are not closed yet. */
    private final Deque<OpenFile> leaving = new ArrayDeque<>();

    private boolean closed;

    /** Opens a file in the pool. */
    interface Opening {
        /**
         * Opens it.
         *
         * @param path where it lies
         * @param found what the system says of it
         */
        OpenFile open(Path path, BasicFileAttributes found) throws IOException;
    }

    /** {@return a file, which {@link #release} must follow} */
    OpenFile use(String name, Path path, Opening opening) throws IOException {
        OpenFile file;
        synchronized (this) {
            if (closed) {
                throw new AlreadyClosedException("the directory of " + path + " is closed");
            }
            BasicFileAttributes found = Files.readAttributes(path, BasicFileAttributes.class);
            file = byName.get(name);
            if (file == null || !file.isSame(found)) {
                file = opening.open(path, found);
                OpenFile former = byName.put(name, file);
                if (former != null) {
                    leave(former);
                }
            }
            file.use();
        }
        closeThoseThatLeave(file);
        return file;
    }

    /** If a close fails, the user of a file does not get it. */
    private void closeThoseThatLeave(OpenFile used) throws IOException {
        boolean done = false;
        try {
            closeThoseThatLeave();
            done = true;
        } finally {
            if (!done) {
                end(used);
            }
        }
    }

    /** Ends a use. */
    void release(OpenFile file) throws IOException {
        end(file);
        closeThoseThatLeave();
    }

    private synchronized void end(OpenFile file) {
        if (!file.release()) {
            return;
        }
        if (byName.get(file.name()) != file) {
            leaving.add(file);
        } else if (!file.isThere()) {
            byName.remove(file.name());
            leaving.add(file);
        }
    }

    private void leave(OpenFile file) {
        if (!file.isUsed()) {
            leaving.add(file);
        }
    }

    /** The file of a name was deleted, renamed or written. */
    void forget(String name) throws IOException {
        synchronized (this) {
            OpenFile file = byName.remove(name);
            if (file != null) {
                leave(file);
            }
        }
        closeThoseThatLeave();
    }

    /** Only files of these names are there. */
    void keepOnly(Collection<String> names) throws IOException {
        synchronized (this) {
            for (Iterator<OpenFile> all = byName.values().iterator(); all.hasNext(); ) {
                OpenFile file = all.next();
                if (!names.contains(file.name())) {
                    all.remove();
                    leave(file);
                }
            }
        }
        closeThoseThatLeave();
    }

    /** {@return the file of a name if it is open, and the one that is there} */
    synchronized OpenFile find(String name) {
        OpenFile file = byName.get(name);
        return file != null && file.isThere() ? file : null;
    }

    synchronized void forEach(BiConsumer<String, OpenFile> action) {
        byName.forEach(action);
    }

    /** Files that are in use stay open until their last user ends. May be called again. */
    void close() throws IOException {
        synchronized (this) {
            closed = true;
            byName.values().forEach(this::leave);
            byName.clear();
        }
        closeThoseThatLeave();
    }

    private synchronized OpenFile nextThatLeaves() {
        return leaving.poll();
    }

    private synchronized void tryAgain(List<OpenFile> failed) {
        leaving.addAll(failed);
    }

    private void closeThoseThatLeave() throws IOException {
        IOException failure = null;
        List<OpenFile> failed = new ArrayList<>();
        for (OpenFile file = nextThatLeaves(); file != null; file = nextThatLeaves()) {
            try {
                file.close();
            } catch (IOException | ClockhandException e) {
                failed.add(file);
                IOException told = e instanceof IOException io
                        ? io
                        : new DirectoryBusyException("cannot close " + file + " yet: " + e.getMessage(), e);
                if (failure == null) {
                    failure = told;
                } else {
                    failure.addSuppressed(told);
                }
            }
        }
        if (failure != null) {
            tryAgain(failed);
            throw failure;
        }
    }
}
