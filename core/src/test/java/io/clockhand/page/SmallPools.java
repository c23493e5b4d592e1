// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.NoSuchPageException;
import io.clockhand.PageId;
import io.clockhand.testing.Pools;
import java.io.IOException;
import java.time.Duration;

/** Pools of four frames over {@link StampedStore}s. */
final class SmallPools {
    static final int PAGE_BYTES = StampedStore.PAGE_BYTES;

    private SmallPools() {}

    static BufferPoolBuilder small() {
        return Pools.builder().pageBytes(PAGE_BYTES).frames(4);
    }

    /** For tests that expect a wait to time out. Without a flusher, since its writes could delay other waits. */
    static BufferPoolBuilder impatient() {
        return small().exhaustedAfter(Duration.ofMillis(50))
                .waitTimeout(Duration.ofMillis(200))
                .tuning(t -> t.flushThreads(0));
    }

    static void expectRight(BufferPool pool, PagedFile file, long page) throws IOException {
        try (PageGuard guard = pool.fix(file.id(page))) {
            assertThat(StampedStore.isRight(guard, page))
                    .as("page %d is right", page)
                    .isTrue();
        }
    }

    /** Expects that a page has been created and not written. */
    static void expectZero(BufferPool pool, PagedFile file, long page) throws IOException {
        try (PageGuard guard = pool.fix(file.id(page))) {
            assertThat(StampedStore.isZero(guard)).as("page %d is zero", page).isTrue();
        }
    }

    /** Expects that a page does not exist. */
    static void expectNone(BufferPool pool, PagedFile file, long page) {
        assertThatThrownBy(() -> pool.fix(PageId.of(file.number(), page)))
                .isInstanceOf(NoSuchPageException.class)
                .hasMessageContaining("no page " + page);
    }

    /** Creates a page; {@return its number} */
    static long createPage(PagedFile file) throws IOException {
        try (WritablePage created = file.create()) {
            assertThat(StampedStore.isZero(created)).isTrue();
            return PageId.page(created.id());
        }
    }
}
