// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class FrequencySketchTest {
    private static FrequencySketch sketch(int frames) {
        FrequencySketch sketch = new FrequencySketch();
        sketch.resize(frames);
        return sketch;
    }

    @Test
    void pageThatWasNeverUsedHasFrequencyZero() {
        assertThat(sketch(10).frequency(Long.MIN_VALUE)).isZero();
    }

    @Test
    void frequencyIsAtMostFifteen() {
        FrequencySketch sketch = sketch(1_000);
        for (int use = 1; use <= 20; use++) {
            sketch.use(-1);
            assertThat(sketch.frequency(-1)).isEqualTo(Math.min(15, use));
        }
    }

    @Test
    void frequencyIsNeverTooLowAndSeldomTooHigh() {
        int frames = 1_000;
        FrequencySketch sketch = sketch(frames);
        int[] uses = References.mixed(1, 2 * frames, 9 * frames);
        for (int page : uses) {
            sketch.use(page);
        }
        Map<Integer, Integer> exact = NaiveAdaptiveCaches.counts(uses);

        exact.forEach((page, count) -> assertThat(sketch.frequency(page)).isGreaterThanOrEqualTo(count));
        long tooHigh = exact.entrySet().stream()
                .filter(entry -> sketch.frequency(entry.getKey()) > entry.getValue())
                .count();
        assertThat(tooHigh).isLessThan(exact.size() / 10);
    }

    @Test
    void frequenciesAreHalvedAfterTenTimesAsManyUsesAsThereAreFrames() {
        FrequencySketch sketch = sketch(4);
        for (int use = 0; use < 12; use++) {
            sketch.use(7);
        }
        for (int page = 100; page < 127; page++) {
            sketch.use(page);
        }
        assertThat(sketch.frequency(7)).isGreaterThanOrEqualTo(12);

        sketch.use(127);

        assertThat(sketch.frequency(7)).isBetween(6, 7);
    }

    @Test
    void resizeForgetsOnlyWhenThereAreMoreFramesThanEver() {
        FrequencySketch sketch = sketch(100);
        sketch.use(7);
        sketch.resize(10);
        sketch.resize(100);
        assertThat(sketch.frequency(7)).isEqualTo(1);

        sketch.resize(1_000);

        assertThat(sketch.frequency(7)).isZero();
    }
}
