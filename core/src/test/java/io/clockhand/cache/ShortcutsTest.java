// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShortcutsTest {
    private static final int FRAMES = 1_000;

    private final Shortcuts shortcuts = new Shortcuts(FRAMES);

    @Test
    void nothingIsNotedAtFirst() {
        for (long tag = 0; tag < 10_000; tag++) {
            assertThat(shortcuts.frame(tag)).isEqualTo(Shortcuts.NONE);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 42, 1L << 32, Long.MAX_VALUE})
    void frameOfATagIsFoundUntilAnotherIsNoted(long tag) {
        shortcuts.put(tag, 7);
        shortcuts.put(tag, 7);
        assertThat(shortcuts.frame(tag)).isEqualTo(7);

        shortcuts.put(tag, FRAMES - 1);
        assertThat(shortcuts.frame(tag)).isEqualTo(FRAMES - 1);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 16, 17, 1_023, 1_025, 70_000})
    void everyFrameComesBack(int frames) {
        Shortcuts some = new Shortcuts(frames);
        for (int frame = 0; frame < frames; frame++) {
            some.put(tag(frame), frame);
            assertThat(some.frame(tag(frame)) == frame).isTrue();
        }
    }

    @Test
    void hashesAndLaterFramesAreNotNoted() {
        shortcuts.put(Long.MIN_VALUE | 5, 7);
        shortcuts.put(5, FRAMES);

        assertThat(shortcuts.frame(Long.MIN_VALUE | 5)).isEqualTo(Shortcuts.NONE);
        assertThat(shortcuts.frame(5)).isEqualTo(Shortcuts.NONE);
    }

    @Test
    void cacheWithoutShortcutsNotesNothing() {
        Shortcuts none = new Shortcuts(0);
        none.put(1, 0);
        assertThat(none.frame(1)).isEqualTo(Shortcuts.NONE);
    }

    /** A full cache: most tags keep their place, and what is found for a tag is hardly ever another's. */
    @Test
    void mostTagsOfAFullCacheAreFoundInTheirFrames() {
        for (int frame = 0; frame < FRAMES; frame++) {
            shortcuts.put(tag(frame), frame);
        }
        List<Integer> found = new ArrayList<>();
        int wrong = 0;
        for (int frame = 0; frame < FRAMES; frame++) {
            int at = shortcuts.frame(tag(frame));
            if (at == frame) {
                found.add(frame);
            } else if (at != Shortcuts.NONE) {
                wrong++;
            }
        }
        assertThat(found).hasSizeGreaterThan(FRAMES * 85 / 100);
        assertThat(wrong).isLessThan(FRAMES * 5 / 100);
    }

    private static long tag(int frame) {
        return ((1_152L + 16L * (frame % 8)) << 32) | (frame / 8);
    }
}
