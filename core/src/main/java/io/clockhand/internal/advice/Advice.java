// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.advice;

import io.clockhand.HitRatioEstimate;
import io.clockhand.policy.Policies;
import io.clockhand.policy.ReplacementPolicy;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Estimates the hit ratio of a cache at a quarter to four times its size, for some policies, while the cache is used.
 *
 * <p>Sampled references are played through miniature caches: for each policy and size one whose frames are the same
 * fraction of that size as the sampled pages are of all pages [1, 2]. All references of a page are sampled or none, so
 * the distances between references of sampled pages shrink as the caches do. The smallest miniature has about {@link
 * #LEAST_FRAMES} frames; a cache that is too small for that is played whole.
 *
 * <p>The pages of a sample may be hotter or colder than the average. The cache itself shows by how much: its misses are
 * known, and are also estimated, by the miniature of its own size and policy. The factor between the two corrects the
 * misses of all miniatures (a ratio estimator), since the same pages are sampled for all. Where the misses are not
 * known, or the cache has got another size or policy since, the number of references is: the difference between those
 * sampled and their fraction is taken for hits, since it depends most on the hottest pages, which are hit at any size
 * (SHARDS<sub>adj</sub> of [1]).
 *
 * <p>Samples wait in {@link SampleQueues}. They are played by a thread that finds its queue full and gets the lock at
 * once, or that reads the estimates. No call waits; {@link #record} and {@link #add} allocate nothing and never throw.
 * Samples of different threads are not played in the order in which they came.
 *
 * <p>Thread-safe.
 *
 * <p>[1] C. Waldspurger, N. Park, A. Garthwaite, I. Ahmad, Efficient MRC Construction with SHARDS, FAST 2015.
 *
 * <p>[2] C. Waldspurger, T. Saemundsson, I. Ahmad, N. Park, Cache Modeling and Optimization using Miniature
 * Simulations, USENIX ATC 2017.
 */
public final class Advice {
    /** Sizes of the caches that are estimated, by that of the one that is observed. */
    private static final double[] FACTORS = {0.25, 0.5, 1, 2, 4};

    /** The place of the entry of the size and the policy of the cache. */
    private static final int OWN_SIZE = 2;

    /** The fraction of a thread's time that the estimates may take, if none is set. */
    public static final double DEFAULT_FRACTION = 1.0 / 400;

    /** Of the smallest miniature, if the cache is large enough. */
    static final int LEAST_FRAMES = 125;

    private final SampledPages pages;
    private final SampleQueues queues = new SampleQueues();
    private final List<Entry> entries = new ArrayList<>();
    private final Miniature[] miniatures;
    /** The counts that are left out of the estimates; null for none. */
    private volatile Totals base;
    /** Whether the cache has the size and the policy that it was made with: else its misses tell nothing here. */
    private volatile boolean missesCount = true;

    private final RecordingTime time;
    private final SampleQueues.Sink player = this::tryPlay;
    private final LongSupplier seen = this::countSeen;
    /** Held while samples are played. Only tried, never waited for. */
    private final ReentrantLock playing = new ReentrantLock();

    private record Entry(double factor, String policy, Miniature miniature) {}

    /**
     * Creates what observes a cache.
     *
     * @param frames the number of frames of the cache
     * @param fraction the fraction of the time that it may take, see {@link RecordingTime}; with 1 it may take all
     * @param policies the policies by name, first the one of the cache; each makes a policy for a number of frames,
     *     which is used by one thread at a time
     */
    public Advice(int frames, double fraction, Map<String, IntFunction<ReplacementPolicy>> policies) {
        this(frames, LEAST_FRAMES, policies, most -> new RecordingTime(fraction, most));
    }

    /**
     * Creates what observes a cache whose policy has a name.
     *
     * @param frames the number of frames of the cache
     * @param fraction the fraction of the time that it may take, see {@link RecordingTime}; with 1 it may take all
     * @param policy the name of its policy
     * @param maker makes its policy; null for the one of that name
     * @param others names of other policies
     * @return what observes it
     */
    public static Advice of(
            int frames, double fraction, String policy, IntFunction<ReplacementPolicy> maker, List<String> others) {
        Map<String, IntFunction<ReplacementPolicy>> policies = new LinkedHashMap<>();
        policies.put(policy, maker == null ? count -> singleThreaded(policy, count) : maker);
        for (String other : others) {
            policies.putIfAbsent(other, count -> singleThreaded(other, count));
        }
        return new Advice(frames, fraction, policies);
    }

    /**
     * {@return a fraction of the time}
     *
     * @param fraction the setting {@code adviceTimeFraction}
     */
    public static double checkedFraction(double fraction) {
        if (!(fraction > 0 && fraction <= 1)) {
            throw new IllegalArgumentException(
                    "adviceTimeFraction is " + fraction + "; it must be greater than 0, and at most 1");
        }
        return fraction;
    }

    /** {@return a policy for one thread at a time: without the lock or the buffers that its name may ask for} */
    private static ReplacementPolicy singleThreaded(String name, int frames) {
        String plain = name.substring(name.indexOf(':') + 1);
        try {
            return Policies.singleThreaded(plain, frames);
        } catch (IllegalArgumentException e) {
            return Policies.create(plain, frames); // it needs no lock
        }
    }

    /** For tests: without pauses. */
    static Advice recordingAll(int frames, int leastFrames, Map<String, IntFunction<ReplacementPolicy>> policies) {
        return new Advice(frames, leastFrames, policies, most -> new RecordingTime(1, most));
    }

    /** For tests: with a clock of their own. */
    Advice(
            int frames,
            int leastFrames,
            Map<String, IntFunction<ReplacementPolicy>> policies,
            IntFunction<RecordingTime> times) {
        pages = new SampledPages(Math.min(1, leastFrames / (FACTORS[0] * frames)));
        policies.forEach((name, maker) -> {
            for (double factor : FACTORS) {
                int count = (int) Math.max(1, Math.round(factor * frames * pages.rate()));
                entries.add(new Entry(factor, name, new Miniature(maker.apply(count), count)));
            }
        });
        miniatures = entries.stream().map(Entry::miniature).toArray(Miniature[]::new);
        time = times.apply(miniatures[FACTORS.length - 1].frames());
    }

    /**
     * Starts and stops the records of a cache from now on: it need not call {@link #record} and {@link #add} while they
     * are stopped. Called once, before the cache is used by other threads.
     *
     * @param records is switched, at once and later, and never waits
     */
    public void control(Consumer<Boolean> records) {
        time.control(records);
    }

    /**
     * Records a reference. May play samples, which takes some microseconds: so the caller should hold neither pin nor
     * latch on the page.
     *
     * @param id the page
     */
    public void record(long id) {
        long[] stripe = queues.count();
        if (pages.contains(id)) {
            queues.add(stripe, id, player);
        }
    }

    /**
     * Records a reference as {@link #record} does, but plays no samples.
     *
     * @param id the page
     */
    public void add(long id) {
        long[] stripe = queues.count();
        if (pages.contains(id)) {
            queues.add(stripe, id, null);
        }
    }

    /** Records that the cache did not hold the page of a reference; without effect while records are stopped. */
    public void recordMiss() {
        if (time.isRecording()) {
            queues.countMiss();
        }
    }

    /** The cache gets another size or policy: from now on its misses correct no estimate, also of references before. */
    public void onOtherCache() {
        missesCount = false;
    }

    /**
     * {@return the estimates since the creation or the last {@link #reset}, by policy and size, after the waiting
     * samples were played}
     */
    public List<HitRatioEstimate> estimates() {
        queues.drain(player);
        Totals before = base; // first: a reset between the two would make the counts negative
        Totals totals = totals().since(before);
        double seen = totals.seen;
        double misses = missesCount ? totals.missed / seen : 0;
        double expected = miniatures[OWN_SIZE].hasFailed()
                ? 0
                : totals.played.get(OWN_SIZE).missRatio();
        double correction = misses > 0 && expected > 0 ? misses / expected : totals.sampled / (seen * pages.rate());
        List<HitRatioEstimate> estimates = new ArrayList<>();
        for (int i = 0; i < miniatures.length; i++) {
            Entry entry = entries.get(i);
            Played played = totals.played.get(i);
            double ratio = miniatures[i].hasFailed() ? Double.NaN : 1 - correction * played.missRatio();
            double possible = Math.min(1, Math.max(0, ratio)); // the counts may be those of different moments
            estimates.add(new HitRatioEstimate(entry.factor, entry.policy, possible, played.references));
        }
        return estimates;
    }

    /** Starts the estimates anew: references so far no longer count. The miniatures keep their contents. */
    public void reset() {
        queues.drain(player);
        base = totals();
    }

    private Totals totals() {
        return new Totals(
                queues.seen(),
                queues.missed(),
                queues.sampled(),
                Stream.of(miniatures)
                        .map(miniature -> new Played(miniature.references(), miniature.hits()))
                        .toList());
    }

    /** The counts so far; those of the miniatures in the order of the entries. */
    private record Totals(long seen, long missed, long sampled, List<Played> played) {
        Totals since(Totals before) {
            return before == null
                    ? this
                    : new Totals(
                            seen - before.seen,
                            missed - before.missed,
                            sampled - before.sampled,
                            IntStream.range(0, played.size())
                                    .mapToObj(i -> played.get(i).since(before.played.get(i)))
                                    .toList());
        }
    }

    /** The counts of a miniature. */
    private record Played(long references, long hits) {
        Played since(Played before) {
            return new Played(references - before.references, hits - before.hits);
        }

        double missRatio() {
            return (double) (references - hits) / references;
        }
    }

    /** {@return the references so far that were sampled and dropped, since their queue was full or in use} */
    public long dropped() {
        return queues.dropped();
    }

    /** {@return the fraction of the pages that is sampled, greater than 0 and at most 1} */
    public double rate() {
        return pages.rate();
    }

    private long countSeen() {
        return queues.seen();
    }

    private boolean tryPlay(long[] ids, int from, int to) {
        if (!playing.tryLock()) {
            return false;
        }
        try {
            long begin = time.now();
            for (Miniature miniature : miniatures) {
                miniature.play(ids, from, to);
            }
            time.onPlayed(to - from, begin, seen);
            return true;
        } finally {
            playing.unlock();
        }
    }
}
