// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.testkit;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;

/**
 * A file on a simulated disk, in two views: the cache, which reads see, and the device, which survives a crash.
 *
 * <p>Thread-safe. A caller that does several things at once holds the monitor.
 */
final class DiskFile {
    /** With more changes, the oldest one reaches the device early, as a cache of limited size would have it. */
    private static final int MOST_UNFORCED = 4096;

    private final String name;
    private final int sectorBytes;
    private final DiskSpace space;
    private final Deque<Change> unforced = new ArrayDeque<>();
    private Sectors cache;
    private Sectors device;
    /** The store that a pool has taken; null if there is none. */
    private OpenFile owner;

    DiskFile(String name, int sectorBytes, DiskSpace space) {
        this.name = name;
        this.sectorBytes = sectorBytes;
        this.space = space;
        this.cache = new Sectors(sectorBytes);
        this.device = new Sectors(sectorBytes);
    }

    String name() {
        return name;
    }

    synchronized long length() {
        return cache.length();
    }

    /** {@return the number of sectors that a transfer touches} */
    int sectors(long position, int bytes) {
        return (int) ((position + bytes - 1) / sectorBytes - position / sectorBytes + 1);
    }

    /** Reads until the target is full or the file ends; {@return the number of bytes} */
    synchronized int read(long position, ByteBuffer target) {
        int bytes = (int) Math.max(0, Math.min(target.remaining(), cache.length() - position));
        long end = position + bytes;
        for (long at = position; at < end; ) {
            long sector = at / sectorBytes;
            int offset = (int) (at % sectorBytes);
            int count = (int) Math.min(sectorBytes - offset, end - at);
            byte[] image = cache.get(sector);
            target.put(image != null ? image : new byte[sectorBytes], offset, count);
            at += count;
        }
        return bytes;
    }

    /**
     * Writes to the cache.
     *
     * @param written which of the sectors are written; null for all
     * @return false if there is no space; then nothing is written
     */
    synchronized boolean write(long position, ByteBuffer source, boolean[] written) {
        long first = position / sectorBytes;
        byte[][] images = new byte[sectors(position, source.remaining())][];
        long length = cache.length();
        int missing = 0;
        long at = position;
        for (int i = 0; i < images.length; i++) {
            int offset = (int) (at % sectorBytes);
            int count = Math.min(sectorBytes - offset, source.remaining());
            at += count;
            if (written != null && !written[i]) {
                source.position(source.position() + count);
                continue;
            }
            byte[] before = cache.get(first + i);
            images[i] = before == null ? new byte[sectorBytes] : before.clone();
            source.get(images[i], offset, count);
            missing += before == null ? 1 : 0;
            length = Math.max(length, at);
        }
        if (!space.tryTake((long) missing * sectorBytes)) {
            return false;
        }
        change(new Change(first, images, length == cache.length() ? Change.SAME_LENGTH : length));
        return true;
    }

    synchronized void truncate(long length) {
        if (length < cache.length()) {
            long before = cache.bytes();
            change(Change.ofLength(length));
            space.add(cache.bytes() - before);
        }
    }

    private void change(Change change) {
        change.applyTo(cache);
        unforced.add(change);
        if (unforced.size() > MOST_UNFORCED) {
            unforced.remove().applyTo(device);
        }
    }

    synchronized void force() {
        unforced.forEach(change -> change.applyTo(device));
        unforced.clear();
    }

    /** Loses the bytes that were not forced: reads see them still, but no force brings them to the device. */
    synchronized void loseUnforcedBytes() {
        Deque<Change> lengths = new ArrayDeque<>();
        for (Change change : unforced) {
            if (change.changesLength()) {
                lengths.add(change.withoutBytes());
            }
        }
        unforced.clear();
        unforced.addAll(lengths);
    }

    /** Keeps what has survived on the device; {@return a description} */
    synchronized String crash(SplittableRandom random) {
        long before = cache.bytes();
        long length = cache.length();
        Survival survival = new Survival(random);
        survival.apply(unforced, device);
        unforced.clear();
        cache = device.copy();
        space.add(cache.bytes() - before);
        return name + ": " + survival + ", " + cache.length() + " bytes of " + length;
    }

    /** Gives back the space of a file that was deleted. */
    synchronized void free() {
        space.add(-cache.bytes());
        cache = new Sectors(sectorBytes);
    }

    synchronized boolean tryOwn(OpenFile store) {
        if (owner != null && owner.isUsable()) {
            return false;
        }
        owner = store;
        return true;
    }
}
