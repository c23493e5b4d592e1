// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.lucene;

import io.clockhand.ClockhandException;
import io.clockhand.PoolFailedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.function.BiConsumer;
import org.apache.lucene.store.AlreadyClosedException;

/**
 * The files of a directory that are open in the pool. One that is deleted or replaced, by whomever, leaves as soon as
 * nobody uses it: when its last user ends, with the next list of the directory, or when its name is opened again.
 *
 * <p><b>Locks.</b> A thread that opens or creates a file has the lock of its name meanwhile, and no other. So files of
 * different names are opened concurrently, however long a key provider takes, and a file that several threads open at
 * the same time is opened once. The monitor of this guards the maps, and is never held during I/O or a call of a
 * provider; a thread that has it takes no other lock. A file that was forgotten while it was being opened serves the
 * thread that opens it, and no later one: its length may be that of before.
 *
 * <p>A file that leaves is closed outside of all locks. If that fails it is tried again with the next call, and when
 * the directory is closed. Only that close tells, and that of an input after it: who renames a file is not to believe
 * that it has its former name still, since another file cannot be closed yet. Thread-safe.
 */
final class OpenFiles {
    private final NameLocks names = new NameLocks();
    /** Guarded by this, as the fields below. */
    private final Map<String, OpenFile> byName = new HashMap<>();
    /**
     * The names of files that are being opened: whether they were forgotten since that began. The thread that opens the
     * file adds and removes its name; a thread that forgets it sets the value.
     */
    private final Map<String, Boolean> opening = new HashMap<>();
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

    /** Works on a file. */
    interface Work<R> {
        R run() throws IOException;
    }

    /** Works on a file of a name while no other thread opens or creates it; {@return the result of the work} */
    <R> R alone(String name, Work<R> work) throws IOException {
        names.lock(name);
        try {
            return work.run();
        } finally {
            names.unlock(name);
        }
    }

    /** {@return a file, which {@link #release} must follow} */
    OpenFile use(String name, Path path, Opening open) throws IOException {
        OpenFile file = alone(name, () -> useAlone(name, path, open));
        tryToCloseThoseThatLeave();
        return file;
    }

    private OpenFile useAlone(String name, Path path, Opening open) throws IOException {
        BasicFileAttributes found = Files.readAttributes(path, BasicFileAttributes.class);
        synchronized (this) {
            checkOpen(path);
            OpenFile former = byName.get(name);
            if (former != null && former.isSame(found)) {
                former.use();
                return former;
            }
            opening.put(name, false);
        }
        OpenFile opened = null;
        try {
            opened = open.open(path, found);
            opened.use();
            return opened;
        } finally {
            endOpening(name, opened);
        }
    }

    /** @param opened null if that failed */
    private synchronized void endOpening(String name, OpenFile opened) {
        boolean forgotten = opening.remove(name);
        if (opened != null && !forgotten && !closed) {
            OpenFile former = byName.put(name, opened);
            if (former != null) {
                leave(former);
            }
        }
    }

    private void checkOpen(Path path) {
        if (closed) {
            throw new AlreadyClosedException("the directory of " + path + " is closed");
        }
    }

    /** Ends a use. */
    void release(OpenFile file) throws IOException {
        if (endUse(file) && !file.isThere()) {
            leaveUnlessUsed(file);
        }
        try {
            closeThoseThatLeave();
        } catch (Throwable e) {
            if (isClosed()) { // by now: nothing else tells, or tries again
                throw e;
            }
        }
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    /** {@return whether nobody uses the file any more, which its name has still} */
    @SuppressWarnings("ReferenceEquality") // one object for each opening
    private synchronized boolean endUse(OpenFile file) {
        if (!file.release()) {
            return false;
        }
        if (byName.get(file.name) == file) {
            return true;
        }
        leaving.add(file);
        return false;
    }

    private synchronized void leaveUnlessUsed(OpenFile file) {
        if (!file.isUsed() && byName.remove(file.name, file)) {
            leaving.add(file);
        }
    }

    private void leave(OpenFile file) {
        if (!file.isUsed()) {
            leaving.add(file);
        }
    }

    /** The file of a name was deleted, renamed or written. */
    void forget(String name) {
        synchronized (this) {
            opening.replace(name, true);
            OpenFile file = byName.remove(name);
            if (file != null) {
                leave(file);
            }
        }
        tryToCloseThoseThatLeave();
    }

    /** Only files of these names are there. */
    void keepOnly(Collection<String> names) {
        synchronized (this) {
            for (Iterator<Map.Entry<String, OpenFile>> all = byName.entrySet().iterator(); all.hasNext(); ) {
                Map.Entry<String, OpenFile> entry = all.next();
                if (!names.contains(entry.getKey())) {
                    all.remove();
                    leave(entry.getValue());
                }
            }
        }
        tryToCloseThoseThatLeave();
    }

    /** {@return the file of a name if it is open, and the one that is there} */
    OpenFile find(String name) {
        OpenFile file;
        synchronized (this) {
            file = byName.get(name);
        }
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

    private synchronized int countOfThoseThatLeave() {
        return leaving.size();
    }

    private synchronized void tryAgain(OpenFile file) {
        leaving.add(file);
    }

    private void tryToCloseThoseThatLeave() {
        try {
            closeThoseThatLeave();
        } catch (Throwable e) {
            // What the caller was to do is done. The file, which was only read, is closed later.
        }
    }

    /** Each that leaves now, once; those that come later are closed by whoever has let them leave. */
    private void closeThoseThatLeave() throws IOException {
        IOException failure = null;
        for (int left = countOfThoseThatLeave(); left > 0; left--) {
            OpenFile file = nextThatLeaves();
            if (file == null) {
                break;
            }
            boolean isClosed = false;
            try {
                file.close();
                isClosed = true;
            } catch (IOException | ClockhandException e) {
                IOException told = e instanceof IOException io ? io : notClosed(file, e);
                if (failure == null) {
                    failure = told;
                } else {
                    failure.addSuppressed(told);
                }
            } finally {
                if (!isClosed) {
                    tryAgain(file); // whatever was thrown: that of a policy, or of a stack that is used up
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    /** {@return what the caller is told} In a busy pool it can be closed later, in a failed one only with the pool. */
    private static IOException notClosed(OpenFile file, Exception cause) {
        return cause instanceof PoolFailedException
                ? new IOException("cannot close " + file + ": " + cause.getMessage(), cause)
                : new DirectoryBusyException("cannot close " + file + " yet: " + cause.getMessage(), cause);
    }
}
