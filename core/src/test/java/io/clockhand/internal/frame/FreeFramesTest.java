// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.testing.Tier;
import io.clockhand.testing.Workers;
import io.clockhand.testing.Workers.Worker;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** No frame is given out twice, and none is lost. */
class FreeFramesTest {
    @RegisterExtension
    final Workers workers = new Workers();

    @Test
    void framesComeInOrderAtFirstAndThenTheLastGivenBackFirst() {
        FrameStates states = new FrameStates(3);
        FreeFrames free = new FreeFrames(states, 3);
        assertThat(List.of(free.poll(), free.poll(), free.poll())).containsExactly(0, 1, 2);
        assertThat(free.poll()).isEqualTo(FreeFrames.NONE);
        assertThat(free.size()).isZero();

        give(free, states, 0);
        give(free, states, 2);

        assertThat(free.size()).isEqualTo(2);
        assertThat(List.of(free.poll(), free.poll(), free.poll())).containsExactly(2, 0, FreeFrames.NONE);
        assertThat(free.used()).isEqualTo(3);
    }

    @Test
    void frameThatIsListedButNotFreeIsAnError() {
        FrameStates states = new FrameStates(1);
        FreeFrames free = new FreeFrames(states, 1);
        states.tryTakeFree(0);

        assertThatThrownBy(free::poll)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("frame 0 was listed as free");
    }

    @Test
    void threadsThatTakeAndGiveLoseAndDoubleNoFrame() {
        int frames = 12;
        int steps = Tier.pick(20_000, 100_000, 2_000_000);
        FrameStates states = new FrameStates(frames);
        FreeFrames free = new FreeFrames(states, frames);
        AtomicIntegerArray owners = new AtomicIntegerArray(frames);
        List<Worker<Void>> threads = new ArrayList<>();
        for (int t = 0; t < 4; t++) {
            SplittableRandom random = new SplittableRandom(t);
            threads.add(workers.run(() -> {
                Deque<Integer> mine = new ArrayDeque<>();
                for (int i = 0; i < steps; i++) {
                    if (mine.size() < 5 && random.nextBoolean()) {
                        int frame = free.poll();
                        if (frame != FreeFrames.NONE) {
                            assertThat(owners.incrementAndGet(frame)).isEqualTo(1);
                            mine.push(frame);
                        }
                    } else if (!mine.isEmpty()) {
                        int frame = random.nextBoolean() ? mine.pop() : mine.removeLast();
                        owners.decrementAndGet(frame);
                        give(free, states, frame);
                    }
                }
                for (int frame : mine) {
                    owners.decrementAndGet(frame);
                    give(free, states, frame);
                }
            }));
        }
        threads.forEach(Worker::result);

        assertThat(free.size()).isEqualTo(frames);
        List<Integer> all = new ArrayList<>();
        for (int i = 0; i < frames; i++) {
            all.add(free.poll());
        }
        assertThat(all).doesNotHaveDuplicates().doesNotContain(FreeFrames.NONE);
    }

    private static void give(FreeFrames free, FrameStates states, int frame) {
        states.free(frame);
        free.offer(frame);
    }
}
