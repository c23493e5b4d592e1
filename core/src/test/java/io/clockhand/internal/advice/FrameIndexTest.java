// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.advice;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class FrameIndexTest {
    private static final int FRAMES = 100;

    @Test
    void indexHoldsWhatAMapHoldsAfterRandomChanges() {
        SplittableRandom random = new SplittableRandom(7);
        FrameIndex index = new FrameIndex(FRAMES);
        Map<Long, Integer> expected = new HashMap<>();
        for (int step = 0; step < 20_000; step++) {
            long id = random.nextInt(3 * FRAMES);
            if (expected.containsKey(id)) {
                index.remove(id);
                expected.remove(id);
            } else if (expected.size() < FRAMES) {
                index.add(id, step);
                expected.put(id, step);
            }
            if (step % 100 == 0) {
                assertThat(found(index)).isEqualTo(expected);
            }
        }
    }

    private static Map<Long, Integer> found(FrameIndex index) {
        Map<Long, Integer> found = new HashMap<>();
        for (long id = 0; id < 3 * FRAMES; id++) {
            if (index.find(id) != FrameIndex.NONE) {
                found.put(id, index.find(id));
            }
        }
        return found;
    }

    @Test
    void indexOfOneFrameServesOnePageAfterAnother() {
        FrameIndex index = new FrameIndex(1);
        List<Integer> found = new ArrayList<>();
        for (long id = 0; id < 50; id++) {
            index.add(id, 0);
            found.add(index.find(id));
            index.remove(id);
            found.add(index.find(id));
        }

        assertThat(found).containsOnly(0, FrameIndex.NONE).hasSize(100);
    }
}
