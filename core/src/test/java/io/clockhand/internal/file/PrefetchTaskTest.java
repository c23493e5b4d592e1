// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.internal.frame.PoolFailure;
import io.clockhand.internal.page.PagePool;
import io.clockhand.internal.page.PageSource;
import io.clockhand.internal.pool.PoolOptions;
import io.clockhand.internal.table.ChainedPageTable;
import io.clockhand.policy.Policies;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Prefetches, step by step. */
class PrefetchTaskTest {
    /** Another thread cancels while this one reads: the word that says so is not stored again. */
    @Test
    void cancelIsKept() {
        PrefetchTask[] tasks = new PrefetchTask[1];
        int[] reads = {0};
        PageSource source = new PageSource() {
            @Override
            public void check(long id) {
                // every page exists
            }

            @Override
            public void read(long id, ByteBuffer target) {
                reads[0]++;
                tasks[0].cancel();
                target.position(target.limit());
            }

            @Override
            public String describe(long id) {
                return "page " + id;
            }

            @Override
            public String file(long id) {
                return "no file";
            }

            @Override
            public long page(long id) {
                return id;
            }
        };
        Duration longest = Duration.ofHours(1);
        PagePool pool = new PagePool(
                new PoolOptions("", 64, 64, true, longest, "", IllegalStateException::new, longest, (what, waited) -> {
                    throw new IllegalStateException(what);
                }),
                512,
                Policies.create(Policies.DEFAULT, 64),
                (frames, states) -> new ChainedPageTable(frames, states::identity),
                source,
                true,
                false);
        tasks[0] = new PrefetchTask(pool, new PoolFailure(), new PrefetchTask.Adjacent(0, 10), 1, done -> {});
        tasks[0].run();
        assertThat(reads[0])
                .as("pages read before the task was cancelled in the end")
                .isOne();
        assertThat(tasks[0].toString()).contains("1 read");
        pool.checkIntegrity();
    }
}
