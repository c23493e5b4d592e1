// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;

/** Pools of four frames over {@link StampedStore}s. */
final class SmallPools {
    static final int PAGE_BYTES = StampedStore.PAGE_BYTES;

    private SmallPools() {}

    static BufferPoolBuilder small() {
        return BufferPool.builder()
                .pageBytes(PAGE_BYTES)
                .frames(4)
                .exhaustedAfter(Duration.ofMillis(50))
                .waitTimeout(Duration.ofMillis(200));
    }

    static void expectRight(BufferPool pool, PagedFile file, long page) throws IOException {
        try (PageGuard guard = pool.fix(file.id(page))) {
            assertThat(StampedStore.isRight(guard, page))
                    .as("page %d is right", page)
                    .isTrue();
        }
    }
}
