// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.PageId;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FrameHintsTest {
    private static final int FRAMES = 10_000;

    private final int[] hints = FrameHints.create(FRAMES);

    @Test
    void thereAreTwoToFourHintsForEachFrame() {
        assertThat(hints).hasSize(32_768);
        assertThat(FrameHints.create(16_384)).hasSize(32_768);
        assertThat(FrameHints.create(1)).hasSize(1024);
    }

    @Test
    void pagesOfADenseFileDoNotShareHints() {
        for (int page = 0; page < hints.length; page++) {
            FrameHints.offer(hints, PageId.of(7, page), page + 1);
        }
        for (int page = 0; page < hints.length; page++) {
            assertThat(FrameHints.get(hints, PageId.of(7, page))).isEqualTo(page + 1);
        }
    }

    @Test
    void firstPagesOfFilesHaveHintsThatAreSpread() {
        Set<Integer> distinct = new HashSet<>();
        for (int file = 0; file < 1000; file++) {
            FrameHints.offer(hints, PageId.of(file, 0), file + 1);
        }
        for (int file = 0; file < 1000; file++) {
            distinct.add(FrameHints.get(hints, PageId.of(file, 0)));
        }
        assertThat(distinct).hasSizeGreaterThan(950);
    }

    @Test
    void clearLeavesTheHintOfAnotherFrame() {
        long page = PageId.of(1, 5);
        long sharesItsHint = PageId.of(1, 5 + hints.length);
        FrameHints.offer(hints, sharesItsHint, 4);
        FrameHints.clear(hints, page, 3);
        assertThat(FrameHints.get(hints, sharesItsHint)).isEqualTo(4);
        FrameHints.clear(hints, sharesItsHint, 4);
        assertThat(FrameHints.get(hints, sharesItsHint)).isNegative();
    }

    @Test
    void pageThatIsLookedUpMoreOftenHasTheHintMostOfTheTime() {
        long hot = PageId.of(1, 5);
        long cold = PageId.of(1, 5 + hints.length);
        int found = 0;
        int stores = 0;
        for (int round = 0; round < 100_000; round++) {
            long page = round % 10 == 0 ? cold : hot;
            int frame = round % 10 == 0 ? 2 : 1;
            int before = FrameHints.get(hints, page);
            found += before == frame ? 1 : 0;
            FrameHints.offer(hints, page, frame);
            stores += FrameHints.get(hints, page) == before ? 0 : 1;
        }
        assertThat(found)
                .as("of 90,000 lookups of the hot page and 10,000 of the other")
                .isGreaterThan(75_000);
        assertThat(stores).as("takeovers").isLessThan(2_000);
    }
}
