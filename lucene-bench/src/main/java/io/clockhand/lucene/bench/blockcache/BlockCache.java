// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.lucene.bench.blockcache;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Blocks of files in memory outside of the heap, in a Caffeine cache: a <b>stand-in</b> for the block cache of
 * OpenSearch's storage encryption (the plugin {@code opensearch-storage-encryption}), without the encryption.
 *
 * <p>As there, blocks of 8 KiB are keyed by file and number, and counted references keep a block's memory from reuse
 * while it is read. A miss reads its block by one positional read. The removal listener gives the cache's reference
 * back. It differs from the original where that costs less: a block's memory is part of one large piece, a block object
 * is never reused and so needs no generation, and no thread reads ahead.
 */
public final class BlockCache implements AutoCloseable {
    static final int SHIFT = 13;
    static final int BLOCK_BYTES = 1 << SHIFT;
    private static final int FILE_SHIFT = 32;

    private final Cache<Long, Block> blocks;
    private final Arena arena = Arena.ofShared();
    private final ConcurrentLinkedQueue<MemorySegment> free = new ConcurrentLinkedQueue<>();
    private final AtomicInteger files = new AtomicInteger();

    /** Makes a cache, and allocates its memory. */
    public BlockCache(long capacityBytes) {
        long capacity = Math.max(1, capacityBytes >>> SHIFT) << SHIFT;
        blocks = Caffeine.newBuilder()
                .maximumWeight(capacity)
                .weigher((Long key, Block block) -> BLOCK_BYTES)
                .executor(Runnable::run)
                .removalListener((key, block, cause) -> block.unpin())
                .build();
        MemorySegment memory = arena.allocate(capacity, BLOCK_BYTES);
        for (long at = 0; at < capacity; at += BLOCK_BYTES) {
            free.add(memory.asSlice(at, BLOCK_BYTES));
        }
    }

    int newFile() {
        return files.incrementAndGet();
    }

    /** The block, pinned. */
    Block pin(BlockFile file, long number) throws IOException {
        Long key = ((long) file.id() << FILE_SHIFT) | number;
        try {
            while (true) {
                Block block = blocks.get(key, absent -> load(file, number));
                if (block.tryPin()) {
                    return block;
                }
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private Block load(BlockFile file, long number) {
        MemorySegment memory = allocate();
        try {
            ByteBuffer buffer = memory.asByteBuffer();
            file.read(buffer, number << SHIFT);
        } catch (IOException e) {
            free(memory);
            throw new UncheckedIOException(e);
        }
        return new Block(number, memory, this);
    }

    /** Evicted blocks that are still pinned, and those that are to be evicted, are more than the capacity. */
    private MemorySegment allocate() {
        MemorySegment memory = free.poll();
        return memory != null ? memory : arena.allocate(BLOCK_BYTES, BLOCK_BYTES);
    }

    void free(MemorySegment memory) {
        free.add(memory);
    }

    /** Closes the cache, whose directories must be closed. */
    @Override
    public void close() {
        arena.close();
    }
}
