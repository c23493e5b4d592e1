// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.advice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.clockhand.policy.Policies;
import io.clockhand.policy.ReplacementPolicy;
import io.clockhand.testing.Workers;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class RecordingTimeTest {
    private static final int MOST_FRAMES = 10;
    private static final double SHARE = 0.01;
    private static final long BATCH_NANOS = 32_000;
    private static final int BATCH = 32;

    private final List<Runnable> tasks = new ArrayList<>();
    private final List<Long> pauses = new ArrayList<>();
    private final List<Boolean> records = new ArrayList<>();
    private long now;
    private long seen;

    private RecordingTime recording(double share) {
        RecordingTime time = new RecordingTime(share, MOST_FRAMES, () -> now, (task, nanos) -> {
            tasks.add(task);
            pauses.add(nanos);
        });
        time.control(records::add);
        return time;
    }

    /** Plays samples, each of which comes with other references, which take a time. */
    private void play(RecordingTime time, int samples, int referencesForEach, long nanosForEach) {
        for (int n = 0; n < samples; n += BATCH) {
            seen += (long) BATCH * referencesForEach;
            now += (long) BATCH * referencesForEach * nanosForEach;
            long begin = now;
            now += BATCH_NANOS;
            time.onPlayed(BATCH, begin, () -> seen);
        }
    }

    private void warmUp(RecordingTime time) {
        play(time, RecordingTime.WARM_UP * MOST_FRAMES + BATCH, 10, 1);
    }

    @Test
    void pauseIsAsLongAsTheCostOfItsBurstIsTheShareOfBoth() {
        RecordingTime time = recording(SHARE);
        warmUp(time);
        long begin = now;
        play(time, RecordingTime.BURST, 100, 20);

        double cost = (double) RecordingTime.BURST / BATCH * BATCH_NANOS + RecordingTime.BURST * 1_000.0;
        assertThat(time.isRecording()).isFalse();
        assertThat(records).containsExactly(true, false);
        assertThat(pauses).hasSize(1);
        assertThat(cost / (now - begin + pauses.get(0))).isCloseTo(SHARE, within(1e-4));
    }

    @Test
    void recordsGoOnWhenThePauseIsOver() {
        RecordingTime time = recording(SHARE);
        warmUp(time);
        play(time, RecordingTime.BURST, 100, 20);
        now += pauses.get(0);
        tasks.get(0).run();

        assertThat(time.isRecording()).isTrue();
        assertThat(records).containsExactly(true, false, true);
        play(time, RecordingTime.BURST, 100, 20);
        assertThat(pauses).hasSize(2);
        assertThat(pauses.get(1))
                .as("the pause of a burst that is like the one before")
                .isCloseTo(pauses.get(0), withinPercentage(5));
    }

    /** Else a burst that ends in between begins a pause, and the records are switched on in it. */
    @Test
    void noPauseCanBeginBeforeTheRecordsAreSwitchedOn() {
        RecordingTime time = recording(SHARE);
        List<Boolean> couldPause = new ArrayList<>();
        time.control(on -> couldPause.add(time.isRecording()));
        warmUp(time);
        play(time, RecordingTime.BURST, 100, 20);
        tasks.get(0).run();

        assertThat(couldPause)
                .as("whether a pause could begin when the records were switched: at first, off, on")
                .containsExactly(true, false, false);
        assertThat(time.isRecording()).isTrue();
    }

    /** A play that takes longer than any can, because its thread did not run, costs no more than the longest one. */
    @Test
    void timeInWhichTheThreadDidNotRunCostsLittle() {
        RecordingTime time = recording(SHARE);
        warmUp(time);
        long begin = now;
        play(time, RecordingTime.BURST - 2 * BATCH, 100, 20); // the warm-up has played the first batch
        seen += 100L * BATCH;
        long since = now;
        now += 100_000_000;
        time.onPlayed(BATCH, since, () -> seen);

        double cost =
                (RecordingTime.BURST / (double) BATCH - 1) * BATCH_NANOS + 1_000_000 + RecordingTime.BURST * 1_000.0;
        assertThat(pauses).as("pauses").hasSize(1);
        assertThat(cost / (now - begin + pauses.get(0)))
                .as("share of the cost, with a play of 100 ms for one of 1 ms")
                .isCloseTo(SHARE, within(2e-4));
    }

    @Test
    void pauseIsAtMostAMinuteLong() {
        RecordingTime time = recording(1e-9);
        warmUp(time);
        play(time, RecordingTime.BURST, 100, 20);

        assertThat(pauses).as("pauses in ns").containsExactly(60_000_000_000L);
    }

    @Test
    void thereIsNoPauseBeforeTheLargestMiniatureCanBeFull() {
        RecordingTime time = recording(SHARE);
        play(time, RecordingTime.WARM_UP * MOST_FRAMES - BATCH, 100, 20);

        assertThat(pauses).isEmpty();
    }

    @Test
    void thereIsNoPauseWhereThreadsDoMuchElse() {
        RecordingTime time = recording(SHARE);
        warmUp(time);
        play(time, 10 * RecordingTime.BURST, 100, 2_000);

        assertThat(pauses).isEmpty();
        assertThat(records).containsExactly(true);
    }

    @Test
    void thereIsNoPauseIfAllTheTimeMayBeUsed() {
        RecordingTime time = recording(1);
        warmUp(time);
        play(time, 10 * RecordingTime.BURST, 100, 0);

        assertThat(pauses).isEmpty();
    }

    @Test
    void samplesThatAreLeftFromABurstDoNotEndThePause() {
        RecordingTime time = recording(SHARE);
        warmUp(time);
        play(time, 2 * RecordingTime.BURST, 100, 20);

        assertThat(pauses).hasSize(1);
        assertThat(time.isRecording()).isFalse();
    }

    /** Another thread may end it before the one that began it goes on. */
    @Test
    void recordsGoOnAfterAPauseThatEndsAtOnce() {
        RecordingTime time = new RecordingTime(SHARE, MOST_FRAMES, () -> now, (task, nanos) -> task.run());
        time.control(records::add);
        warmUp(time);
        play(time, RecordingTime.BURST, 100, 20);

        assertThat(records).containsExactly(true, false, true);
        assertThat(time.isRecording()).isTrue();
    }

    @Test
    void recordsGoOnIfNoPauseCanBeScheduled() {
        RecordingTime time = new RecordingTime(SHARE, MOST_FRAMES, () -> now, (task, nanos) -> {
            throw new OutOfMemoryError("for the test");
        });
        time.control(records::add);
        warmUp(time);
        play(time, RecordingTime.BURST, 100, 20);

        assertThat(records).containsExactly(true, false, true);
        assertThat(time.isRecording()).isTrue();
    }

    @Test
    void aThreadEndsThePauseWhenItsTimeIsOver() {
        AtomicInteger begun = new AtomicInteger();
        AtomicInteger resumed = new AtomicInteger();
        RecordingTime time = new RecordingTime(0.1, MOST_FRAMES); // for a short pause
        time.control(on -> (on ? resumed : begun).getAndIncrement());
        resumed.set(0); // the records were switched on
        for (int n = 0; n < 10_000_000 && begun.get() == 0; n += BATCH) { // a burst that was interrupted has no pause
            seen += 100L * BATCH;
            time.onPlayed(BATCH, time.now(), () -> seen);
        }

        assertThat(begun).as("pauses").hasValue(1);
        Workers.await(() -> resumed.get() == 1, "the pause does not end");
        Workers.await(time::isRecording, "records are on, but time is not"); // set after the records are switched on
    }

    @Test
    void estimatesOfBurstsAreThoseOfAllReferences() {
        expectEstimatesOfBursts(1_000, 500_000);
    }

    @Tag("ci")
    @Test
    void estimatesOfBurstsAreThoseOfAllReferencesInALargerCache() {
        expectEstimatesOfBursts(4_000, 2_000_000);
    }

    private void expectEstimatesOfBursts(int frames, int references) {
        int pages = 25 * frames / 2;
        Map<String, IntFunction<ReplacementPolicy>> lru = Map.of("lru", f -> Policies.singleThreaded("lru", f));
        Advice exact = Advice.recordingAll(frames, frames, lru);
        Advice bursts = new Advice(
                frames,
                Advice.LEAST_FRAMES,
                lru,
                most -> new RecordingTime(0.02, most, () -> now, (task, nanos) -> {
                    tasks.add(task);
                    pauses.add(now + nanos);
                }));
        boolean[] on = new boolean[1];
        bursts.control(recording -> on[0] = recording);
        SplittableRandom random = new SplittableRandom(7);
        Map<Long, Boolean> cache = new LinkedHashMap<>(16, 0.75f, true);
        int recorded = 0;
        for (int n = 0; n < references; n++, now += 100) {
            if (!on[0] && now >= pauses.get(pauses.size() - 1)) {
                tasks.get(tasks.size() - 1).run();
            }
            long page = (long) (pages * Math.pow(random.nextDouble(), 7));
            exact.record(page);
            if (on[0]) {
                recorded++;
                bursts.record(page);
            }
            if (cache.put(page, true) == null) {
                bursts.recordMiss();
                if (cache.size() > frames) {
                    cache.remove(cache.keySet().iterator().next());
                }
            }
        }

        assertThat(recorded).isBetween(references / 100, references / 2);
        for (int i = 0; i < 5; i++) {
            assertThat(bursts.estimates().get(i).hitRatio())
                    .as("size %s", i)
                    .isCloseTo(exact.estimates().get(i).hitRatio(), within(0.015));
        }
    }
}
