// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.io.PageStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** The part of {@link PageStoreContract} on batches: pages that need not be adjacent, written by one call. */
abstract class PageStoreBatchContract extends PageStoreThreadsContract {

    @Test
    void batchOfPagesEqualsSingleWrites() throws IOException {
        long[] pages = {99, 1, 2, 4, 7, 8, 9, 99};
        long value = 100;
        try (PageStore store = open()) {
            for (int page = 0; page < 11; page++) {
                write(store, page, 10 + page);
            }
            for (boolean direct : new boolean[] {false, true}) {
                for (boolean readOnly : new boolean[] {false, true}) {
                    for (int to = 2; to < pages.length; to++) {
                        value += 10;
                        writeBatch(store, direct, readOnly, pages, to, value);
                        for (int i = 1; i < to; i++) {
                            assertThat(read(store, pages[i])).isEqualTo(value + i - 1);
                        }
                    }
                }
            }
            for (int page : new int[] {0, 3, 5, 6, 10}) {
                assertThat(read(store, page)).isEqualTo(10 + page);
            }
            assertThat(store.pages()).isEqualTo(11);
            assertThat(pages).containsExactly(99, 1, 2, 4, 7, 8, 9, 99);
        }
    }

    private void writeBatch(PageStore store, boolean direct, boolean readOnly, long[] pages, int to, long value)
            throws IOException {
        int offset = 8;
        int end = offset + (to - 1) * pageBytes();
        ByteBuffer source = allocate(direct, end + 8);
        source.position(offset).put(run(false, to - 1, value)).flip().position(offset);
        ByteBuffer written = readOnly ? source.asReadOnlyBuffer() : source;
        store.writeBatch(pages, 1, to, written);

        assertThat(written.position()).as("all of the source is consumed").isEqualTo(end);
        assertThat(written.limit()).isEqualTo(end);
    }

    @Test
    void batchBehindTheEndExtendsTheStoreWithZeros() throws IOException {
        try (PageStore store = open()) {
            write(store, 0, 1);
            store.writeBatch(new long[] {0, 2, 3, 6}, 0, 4, run(true, 4, 5));

            assertThat(store.pages()).isEqualTo(7);
            assertThat(read(store, 0)).isEqualTo(5);
            assertThat(read(store, 2)).isEqualTo(6);
            assertThat(read(store, 3)).isEqualTo(7);
            assertThat(read(store, 6)).isEqualTo(8);
            for (int page : new int[] {1, 4, 5}) {
                assertNeverWritten(store, page);
            }
        }
    }

    @Test
    void batchOfPagesThatDoNotAscendOrDoNotFitTheSourceIsRefused() throws IOException {
        try (PageStore store = open()) {
            write(store, 0, 1);

            assertRefused(store, () -> writeTwo(store, 0, 2, 2, -1, 1));
            assertRefused(store, () -> writeTwo(store, 0, 2, 2, 1, 0));
            assertRefused(store, () -> writeTwo(store, 0, 2, 2, 0, 0));
            assertRefused(store, () -> writeTwo(store, 0, 2, 1, 0, 2));
            assertRefused(store, () -> writeTwo(store, 0, 2, 3, 0, 2));
            assertRefused(store, () -> writeTwo(store, 1, 1, 0, 0, 2));
            assertRefused(store, () -> writeTwo(store, 1, 3, 2, 0, 2));
            assertRefused(store, () -> writeTwo(store, -1, 1, 2, 0, 2));
            assertThat(store.pages()).isEqualTo(1);
            assertThat(read(store, 0)).isEqualTo(1);
        }
    }

    private void writeTwo(PageStore store, int from, int to, int pagesInSource, long first, long second)
            throws IOException {
        store.writeBatch(new long[] {first, second}, from, to, run(true, pagesInSource, 2));
    }

    @Test
    void closedStoreFailsABatchByName() throws IOException {
        PageStore store = open();
        write(store, 0, 1);
        store.close();

        assertFails(store, () -> store.writeBatch(new long[] {0, 2}, 0, 2, run(true, 2, 2)));
    }
}
