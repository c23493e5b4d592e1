// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LruListTest {
    private static final int FRAMES = 20;
    private static final long SEED = 17;

    private static List<Integer> fromTail(LruList list) {
        List<Integer> frames = new ArrayList<>();
        for (int frame = list.tail(); frame != LruList.NONE; frame = list.towardsHead(frame)) {
            frames.add(frame);
        }
        return frames;
    }

    @Test
    void listHasTheOrderOfADeque() {
        LruList list = new LruList(FRAMES);
        Deque<Integer> model = new ArrayDeque<>();
        SplittableRandom random = new SplittableRandom(SEED);
        for (int step = 0; step < 10_000; step++) {
            int frame = random.nextInt(FRAMES);
            if (!model.contains(frame)) {
                if (random.nextBoolean()) {
                    list.addHead(frame);
                    model.addLast(frame);
                } else {
                    list.addTail(frame);
                    model.addFirst(frame);
                }
            } else if (random.nextBoolean()) {
                list.remove(frame);
                model.remove(frame);
            } else {
                list.moveToHead(frame);
                model.remove(frame);
                model.addLast(frame);
            }
            assertThat(fromTail(list)).as("seed %d, step %d", SEED, step).containsExactlyElementsOf(model);
            assertThat(list.size()).isEqualTo(model.size());
        }
    }
}
