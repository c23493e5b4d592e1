// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.PageId;
import io.clockhand.testing.Tier;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The memory of a table of arrays for 100,000 frames of 4 KiB, within the default share of the pool's memory, as pages
 * are replaced in order of their arrival. The documents have these figures.
 */
class ArrayPageTableMemoryTest {
    private static final int FRAMES = 100_000;
    private static final int PAGES = 1_000_000;
    /** More than frames, so that pages come and go. */
    private static final int HOT_PAGES = 110_000;

    private static final long BOUND = FRAMES * 4096L / 64;

    private final AtomicLongArray ids = new AtomicLongArray(FRAMES);
    private final ArrayPageTable table = new ArrayPageTable(FRAMES, ids::get, BOUND);
    private final long empty = table.bytes();
    private final long overflow = new ChainedPageTable(FRAMES, ids::get).bytes();
    private final SplittableRandom random = new SplittableRandom(1);
    private int next;

    ArrayPageTableMemoryTest() {
        for (int frame = 0; frame < FRAMES; frame++) {
            ids.set(frame, -1);
        }
    }

    /** {@return the greatest number of bytes while pages came} */
    private long load(int count, LongSupplier pages) {
        long greatest = 0;
        for (int i = 0; i < count; i++) {
            long id = pages.getAsLong();
            if (table.find(id) == PageTable.NONE) {
                replace(id);
            }
            if (i % 64 == 0) {
                greatest = Math.max(greatest, table.bytes());
            }
        }
        return greatest;
    }

    private void replace(long id) {
        int frame = next;
        next = (next + 1) % FRAMES;
        if (ids.get(frame) >= 0) {
            assertThat(table.remove(ids.get(frame), frame)).isTrue();
        }
        ids.set(frame, id);
        assertThat(table.putIfAbsent(id, frame)).isEqualTo(PageTable.NONE);
    }

    @Test
    void denseFileTakesFourBytesForEachOfItsPages() {
        long greatest = load(Tier.pick(300_000, 1_500_000, 15_000_000), () -> random.nextInt(PAGES)) - empty;

        print("dense file", greatest);
        assertThat(greatest).isBetween(4L * PAGES, 4L * PAGES + (128 << 10)).isLessThan(BOUND);
    }

    @Test
    void sparseFilesStayWithinTheBoundAndTheOverflow() {
        long greatest = load(
                        Tier.pick(250_000, 500_000, 5_000_000),
                        () -> PageId.of(random.nextInt(10), random.nextLong(1L << 36)))
                - empty;

        print("ten sparse files", greatest);
        assertThat(greatest).isBetween(overflow, BOUND + overflow);
    }

    @Tag("ci")
    @Test
    void tableShrinksAfterAScanOfEverything() {
        long[] hot = {0};
        LongSupplier hotPages = () -> hot[0]++ % HOT_PAGES;
        load(2 * HOT_PAGES, hotPages);
        long before = table.bytes() - empty;
        long[] page = {0};
        long scan = load(10 * PAGES, () -> PageId.of((int) (page[0] / PAGES), page[0]++ % PAGES)) - empty;
        load(10 * HOT_PAGES, hotPages);
        long after = table.bytes() - empty;

        print("hot pages", before);
        print("scan of ten files", scan);
        print("hot pages again", after);
        assertThat(scan).isBetween(before, 2 * before);
        assertThat(after).isLessThan(before + before / 10);
    }

    private void print(String situation, long bytes) {
        System.out.println(Arrays.asList(situation, bytes, BOUND, overflow));
    }
}
