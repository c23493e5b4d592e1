// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.kv.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The check of a store whose process was killed sees what is lost, and what is there in part. */
class CommitsTest {
    private static final long CACHE_BYTES = 2 << 20;

    @TempDir
    private Path folder;

    /** A store with three commits of the only thread, of which it was told two. */
    private void makeStore(long firstKey, long... others) throws Exception {
        Files.write(
                folder.resolve("acknowledged"),
                ByteBuffer.allocate(Long.BYTES)
                        .order(ByteOrder.nativeOrder())
                        .putLong(2)
                        .array());
        try (KvStore store = KvStore.open(Engine.EXAMPLE, folder, CACHE_BYTES, true)) {
            store.put(Entries.key(0), Entries.value(firstKey, 0));
            for (long n : others) {
                store.put(Entries.key(1 + n), Entries.value(n, 0));
                store.put(Entries.key(1 + 20_000 + n), Entries.value(n, 0));
            }
        }
    }

    private String problem() throws Exception {
        return new Commits(
                        Engine.EXAMPLE,
                        folder.toString(),
                        CACHE_BYTES,
                        1,
                        folder.resolve("acknowledged").toString(),
                        true)
                .perform(fraction -> {})
                .problem();
    }

    @Test
    void commitMayBeThereOfWhichTheThreadWasNotTold() throws Exception {
        makeStore(3, 1, 2, 3);
        assertThat(problem()).isNull();
    }

    @Test
    void lostCommitIsSeen() throws Exception {
        makeStore(1, 1);
        assertThat(problem()).isEqualTo("commit 2 of thread 0 was acknowledged, but the store ends with 1");
    }

    @Test
    void commitThatIsThereInPartIsSeen() throws Exception {
        makeStore(3, 1, 2);
        assertThat(problem()).isEqualTo("key 4 of thread 0 has commit 0 instead of 3");
    }
}
