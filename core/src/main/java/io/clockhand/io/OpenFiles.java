// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.io;

import java.io.IOException;
import java.lang.ref.Cleaner;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The files of pages that are open in this JVM, by device and inode, whatever their names. A store adds its file here
 * before it opens it: on POSIX systems an attempt that only opens and closes the file would drop the lock of the store
 * that has it.
 *
 * <p>One store that locks the file may have it, or any number of stores that do not. Each entry is kept twice: in this
 * class, and as a system property, {@value #PREFIX} and the file, for stores of other class loaders. The entry of a
 * store that was forgotten goes when it is collected, as its descriptors do.
 *
 * <p><b>Strays.</b> A descriptor may turn out to be one of a file that another store has locked: the file was replaced
 * while it was opened, or its owner is not in the table. Such a descriptor stays open until nobody in this JVM has
 * locked its file.
 *
 * <p>Thread-safe: the methods that change something are synchronized, and the system properties are changed atomically.
 */
final class OpenFiles {
    private static final String PREFIX = "io.clockhand.open-file.";
    private static final String LOCKED = "locked ";
    private static final String UNLOCKED = "unlocked ";

    private static final Map<Object, Object> OWN = new ConcurrentHashMap<>();
    private static final Queue<Descriptor> STRAYS = new ArrayDeque<>();
    private static final Cleaner CLEANER = Cleaner.create();

    private OpenFiles() {}

    /** The entry of a store. */
    static final class Entry implements Runnable {
        private final String key;
        private final boolean locks;

        private Entry(String key, boolean locks) {
            this.key = key;
            this.locks = locks;
        }

        @Override
        public void run() {
            remove(this);
        }
    }

    /**
     * Adds a file, before it is opened.
     *
     * @param path its name
     * @param key what identifies it in this JVM, whatever its name
     * @param locks whether it will be locked
     * @param owner the entry goes when this is collected, if it was not removed before
     * @return removes the entry, when all descriptors of the file are closed
     * @throws IOException if another store has the file
     */
    static Cleaner.Cleanable add(Path path, Object key, boolean locks, Object owner) throws IOException {
        Entry entry = new Entry(PREFIX + key, locks);
        synchronized (OpenFiles.class) {
            closeStrays();
            add(OWN, path, entry);
            boolean added = false;
            try {
                try {
                    add(System.getProperties(), path, entry);
                } catch (SecurityException e) {
                    // those of other class loaders are not known then
                }
                added = true;
            } finally {
                if (!added) {
                    remove(OWN, entry.key, locks);
                }
            }
        }
        boolean registered = false;
        try {
            Cleaner.Cleanable removal = CLEANER.register(owner, entry);
            registered = true;
            return removal;
        } finally {
            if (!registered) {
                entry.run();
            }
        }
    }

    @SuppressWarnings("ReferenceEquality") // the very string that this call has stored
    private static void add(Map<Object, Object> table, Path path, Entry entry) throws IOException {
        String own = entry.locks ? LOCKED + path : UNLOCKED + "1";
        Object now = table.compute(entry.key, (key, former) -> {
            if (former == null) {
                return own;
            }
            return !entry.locks && isUnlocked(former) ? UNLOCKED + (users(former) + 1) : former;
        });
        boolean refused = entry.locks ? now != own : !isUnlocked(now);
        if (refused) {
            throw new IOException(
                    isUnlocked(now)
                            ? "cannot open " + path + " with a lock: it is open already in this JVM without one ("
                                    + FileOption.NO_LOCK + "); close those stores first"
                            : "cannot open " + path + ": it is open already in this JVM, as "
                                    + String.valueOf(now).replaceFirst("^" + LOCKED, "")
                                    + ", and one store, in one pool, may use a file; close that store first");
        }
    }

    private static synchronized void remove(Entry entry) {
        remove(OWN, entry.key, entry.locks);
        try {
            remove(System.getProperties(), entry.key, entry.locks);
        } catch (SecurityException e) {
            // then it was not added there
        }
    }

    private static void remove(Map<Object, Object> table, String key, boolean locks) {
        table.compute(key, (same, now) -> now == null || locks || users(now) <= 1 ? null : UNLOCKED + (users(now) - 1));
    }

    private static boolean isUnlocked(Object value) {
        return value.toString().startsWith(UNLOCKED);
    }

    private static long users(Object value) {
        return Long.parseLong(value.toString().substring(UNLOCKED.length()));
    }

    /** Keeps a descriptor open that may be one of a file which another store has locked. */
    static synchronized void addStray(Descriptor descriptor) {
        STRAYS.add(descriptor);
    }

    private static void closeStrays() {
        for (Iterator<Descriptor> strays = STRAYS.iterator(); strays.hasNext(); ) {
            Descriptor stray = strays.next();
            if (!isLockedHere(stray)) {
                strays.remove();
                closeQuietly(stray);
            }
        }
    }

    private static boolean isLockedHere(Descriptor descriptor) {
        try {
            descriptor.tryLock(); // false: another process has the lock, so this one has none to lose
            return false;
        } catch (OverlappingFileLockException e) {
            return true;
        } catch (IOException e) {
            return false; // the file system has no locks
        }
    }

    private static void closeQuietly(Descriptor descriptor) {
        try {
            descriptor.close();
        } catch (IOException e) {
            // it was used for nothing
        }
    }
}
