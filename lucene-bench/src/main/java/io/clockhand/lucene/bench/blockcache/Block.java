// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.lucene.bench.blockcache;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A block of a file in memory. It is in use while its count is positive: the cache holds one reference, each pin one.
 * The last one to go frees the memory, and the block is never used again: another block gets the memory.
 */
final class Block {
    private static final VarHandle COUNT;

    static {
        try {
            COUNT = MethodHandles.lookup().findVarHandle(Block.class, "count", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    final long number;
    final MemorySegment memory;
    private final BlockCache cache;

    @SuppressWarnings("UnusedVariable") // by its handle
    private volatile int count = 1;

    Block(long number, MemorySegment memory, BlockCache cache) {
        this.number = number;
        this.memory = memory;
        this.cache = cache;
    }

    /** Returns false if the block has left the cache, and nobody uses it any more. */
    boolean tryPin() {
        int now = (int) COUNT.getOpaque(this);
        while (now > 0) {
            int found = (int) COUNT.compareAndExchange(this, now, now + 1);
            if (found == now) {
                return true;
            }
            now = found;
        }
        return false;
    }

    void unpin() {
        if ((int) COUNT.getAndAdd(this, -1) == 1) {
            cache.free(memory);
        }
    }
}
