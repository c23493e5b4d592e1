// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/**
 * Writes the zeros of an extension past the operating system's cache, where the file system has direct I/O: that takes
 * less time than to fill the cache with zeros and to write them from there when the file is forced.
 *
 * <p>Thread-safe: all methods are synchronized. An extension waits for no other thread, since its caller excludes
 * others; a close waits for it.
 */
final class DirectExtension {
    private final int pageBytes;
    private final FileChannels cached;
    /** Opened by the first extension; null if none was, or direct I/O is not possible. */
    private FileChannel channel;

    private PageTransfer transfer;
    /** Whether nothing is written any more: direct I/O is not possible, or the file is closed. */
    private boolean ended;

    /**
     * Opens nothing yet.
     *
     * @param pageBytes the size of the pages of the file
     * @param cached the other channels of the file, with which the channel is closed
     * @param possible false if it is not to be tried
     */
    DirectExtension(int pageBytes, FileChannels cached, boolean possible) {
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
        boolean interrupted = Thread.interrupted(); // or the channel might be closed
        try {
            if (channel == null) {
                int blockBytes = DirectIo.blockBytes(cached.path(), pageBytes);
                transfer = new PageTransfer(pageBytes, blockBytes, null);
                channel = cached.openDirectly();
            }
            transfer.write(channel, first * pageBytes, zeros, start);
            return true;
        } catch (IOException | RuntimeException e) {
            zeros.position(start);
            ended = channel == null || !channel.isOpen();
            return false;
        } finally {
            FileChannels.restore(interrupted);
        }
    }

    /** Waits for an extension in progress; later ones are written through the cache. */
    synchronized void end() {
        ended = true;
    }
}
