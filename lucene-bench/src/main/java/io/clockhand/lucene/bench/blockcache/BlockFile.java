// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.lucene.bench.blockcache;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import org.apache.lucene.store.AlreadyClosedException;

/**
 * An open file, which all its inputs share; closed with the last of them. In front of the cache it has a table of the
 * latest blocks, as the original has: a hit there costs no look-up in the cache, which does not count it either. Races
 * in the table are harmless: a block knows its number, and is pinned before it is used.
 */
final class BlockFile {
    private static final int RECENT = 32;

    private final BlockCache cache;
    private final FileChannel channel;
    private final int id;
    private final long length;
    private final Block[] recent = new Block[RECENT];
    private int users;

    BlockFile(BlockCache cache, FileChannel channel) throws IOException {
        this.cache = cache;
        this.channel = channel;
        this.id = cache.newFile();
        this.length = channel.size();
    }

    int id() {
        return id;
    }

    long length() {
        return length;
    }

    /** The block, pinned. */
    Block pin(long number) throws IOException {
        int slot = (int) (number ^ (number >>> 17)) & (RECENT - 1);
        Block block = recent[slot];
        if (block != null && block.number == number && block.tryPin()) {
            return block;
        }
        if (!channel.isOpen()) {
            throw new AlreadyClosedException("the file is closed");
        }
        block = cache.pin(this, number);
        recent[slot] = block;
        return block;
    }

    /** Reads a block; the last one of the file may be short. */
    void read(ByteBuffer block, long position) throws IOException {
        while (block.hasRemaining() && channel.read(block, position + block.position()) >= 0) {
            if (position + block.position() >= length) {
                return;
            }
        }
    }

    /** Returns false if the last user has closed it. */
    synchronized boolean open() {
        if (!channel.isOpen()) {
            return false;
        }
        users++;
        return true;
    }

    synchronized void close() throws IOException {
        if (--users == 0) {
            channel.close();
        }
    }
}
