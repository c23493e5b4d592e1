// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.lucene.bench.blockcache;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Random;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BlockCacheTest {
    private static final int BLOCKS = 40;
    private static final int BYTES = BLOCKS * BlockCache.BLOCK_BYTES - 5;

    @TempDir
    private Path path;

    private static byte[] content() {
        byte[] content = new byte[BYTES];
        new Random(1).nextBytes(content);
        return content;
    }

    @Test
    void pinnedBlocksKeepTheirBytesWhileOthersAreEvicted() throws IOException {
        byte[] content = content();
        BlockCache cache = new BlockCache(2 * BlockCache.BLOCK_BYTES);
        try (Directory directory = new BlockCacheDirectory(path, cache, false)) {
            try (IndexOutput output = directory.createOutput("file", IOContext.DEFAULT)) {
                output.writeBytes(content, BYTES);
            }
            try (IndexInput pinning = directory.openInput("file", IOContext.DEFAULT)) {
                pinning.readByte();
                IndexInput clone = pinning.clone();
                for (int at = 0; at < BYTES; at += 1000) {
                    clone.seek(at);
                    assertThat(clone.readByte()).isEqualTo(content[at]);
                }
                pinning.seek(1);
                assertThat(pinning.readByte()).isEqualTo(content[1]);
            }
        }
        cache.close();
    }

    @Test
    void lastPinFreesTheMemoryOfAnEvictedBlock() {
        BlockCache cache = new BlockCache(BlockCache.BLOCK_BYTES);
        Block block = new Block(0, MemorySegment.NULL, cache);

        assertThat(block.tryPin()).isTrue();
        block.unpin();
        assertThat(block.tryPin()).isTrue();
        block.unpin();
        block.unpin(); // as the cache does when it evicts

        assertThat(block.tryPin()).isFalse();
        cache.close();
    }
}
