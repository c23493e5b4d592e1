// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;

/**
 * Writes the zeros of an extension past the operating system's cache, where the file system has direct I/O: that takes
 * less time than to fill the cache with zeros and to write them from there when the file is forced.
 *
 * <p>Thread-safe: all methods are synchronized. An extension waits for no other thread, since its caller excludes
 * others; a close waits for it.
 */
final class DirectExtension {
    private final Path path;
    private final int pageBytes;
    private final FileChannels cached;
    /** Opened by the first extension; null if none was, or direct I/O is not possible. */
    private FileChannels channels;

    private PageTransfer transfer;
    /** Whether nothing is written any more: direct I/O is not possible, or the file is closed. */
    private boolean ended;

    /**
     * Opens nothing yet.
     *
     * @param path the file
     * @param pageBytes the size of its pages
     * @param cached the other channels of the file
     * @param possible false if it is not to be tried
     */
    DirectExtension(Path path, int pageBytes, FileChannels cached, boolean possible) {
        this.path = path;
        this.pageBytes = pageBytes;
        this.cached = cached;
        this.ended = !possible;
    }

    /**
     * Writes some pages of zeros.
     *
     * @param first the number of the first page
     * @param zeros a number of whole pages, at an address that is a multiple of the greatest page size
     * @return false if they must be written through the cache; any part of them may have been written
     */
    synchronized boolean tryWrite(long first, ByteBuffer zeros) {
        if (ended) {
            return false;
        }
        int start = zeros.position();
        try {
            if (channels == null) {
                open();
            }
            channels.apply(channel -> transfer.write(channel, first * pageBytes, zeros, start));
            return true;
        } catch (IOException | RuntimeException e) {
            zeros.position(start);
            if (channels == null) {
                ended = true;
            }
            return false;
        }
    }

    private void open() throws IOException {
        int blockBytes = DirectIo.blockBytes(path, pageBytes);
        transfer = new PageTransfer(pageBytes, blockBytes);
        FileChannels opened = FileChannels.open(
                path, Set.<OpenOption>of(StandardOpenOption.READ, StandardOpenOption.WRITE, DirectIo.option()), 1);
        boolean same = false;
        try {
            same = cached.isSameFile();
        } finally {
            if (same) {
                channels = opened;
            } else {
                opened.close(null);
            }
        }
        if (!same) {
            throw new IOException("another file has the name " + path + " now");
        }
    }

    /**
     * Closes what was opened.
     *
     * @param before a failure to be handed on, or null
     * @return it, or else the failure of this, or null
     */
    synchronized IOException close(IOException before) {
        ended = true;
        return channels == null ? before : channels.close(before);
    }
}
