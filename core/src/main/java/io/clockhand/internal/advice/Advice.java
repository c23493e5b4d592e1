// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.advice;

import io.clockhand.policy.ReplacementPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntFunction;

/**
 * Estimates the hit ratio of a cache at a quarter to four times its size, for some policies, while the cache is used.
 *
 * <p>Sampled references are played through miniature caches: for each policy and size one whose frames are the same
 * share of that size as the sampled pages are of all pages [1, 2]. All references of a page are sampled or none, so the
 * distances between references of sampled pages shrink as the caches do. The smallest miniature has about {@link
 * #LEAST_FRAMES} frames; a cache that is too small for that is played whole.
 *
 * <p>The pages of a sample may be hotter or colder than the average. The cache itself shows by how much: its misses are
 * known, and are also estimated, by the miniature of its own size and policy. The factor between the two corrects the
 * misses of all miniatures (a ratio estimator), since the same pages are sampled for all.
 * Where the misses are not known, the number of references is: the difference between those sampled and their share is
 * taken for hits, since it depends most on the hottest pages, which are hit at any size (SHARDS<sub>adj</sub> of [1]).
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

    private static final int OWN_SIZE = 2;

    /** Of the smallest miniature, if the cache is large enough. */
    static final int LEAST_FRAMES = 125;

    private final SampledPages pages;
    private final SampleQueues queues = new SampleQueues();
    private final List<Entry> entries = new ArrayList<>();
    private final Miniature[] miniatures;
    /** Of the size and the policy of the cache. */
    private final Miniature own;

    private final SampleQueues.Sink player = this::tryPlay;
    /** Held while samples are played. Only tried, never waited for. */
    private final ReentrantLock playing = new ReentrantLock();

    private record Entry(double factor, String policy, Miniature miniature) {}

    /**
     * Creates what observes a cache.
     *
     * @param frames the number of frames of the cache
     * @param policies the policies by name, first the one of the cache; each makes a policy for a number of frames,
     *     which is used by one thread at a time
     */
    public Advice(int frames, Map<String, IntFunction<ReplacementPolicy>> policies) {
        this(frames, LEAST_FRAMES, policies);
    }

    Advice(int frames, int leastFrames, Map<String, IntFunction<ReplacementPolicy>> policies) {
        pages = new SampledPages(Math.min(1, leastFrames / (FACTORS[0] * frames)));
        policies.forEach((name, maker) -> {
            for (double factor : FACTORS) {
                int count = (int) Math.max(1, Math.round(factor * frames * pages.rate()));
                entries.add(new Entry(factor, name, new Miniature(maker.apply(count), count)));
            }
        });
        miniatures = entries.stream().map(Entry::miniature).toArray(Miniature[]::new);
        own = miniatures[OWN_SIZE];
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

    /** Records that the cache did not hold the page of a reference. */
    public void recordMiss() {
        queues.countMiss();
    }

    /** {@return the estimates since the creation, by policy and size, after the waiting samples were played} */
    public List<Estimate> estimates() {
        queues.drain(player);
        double seen = queues.seen();
        double misses = queues.missed() / seen;
        double expected = own.hasFailed() ? 0 : missRatio(own);
        double correction = misses > 0 && expected > 0 ? misses / expected : queues.sampled() / (seen * pages.rate());
        return entries.stream().map(entry -> estimate(entry, correction)).toList();
    }

    private static Estimate estimate(Entry entry, double correction) {
        double ratio = entry.miniature.hasFailed() ? Double.NaN : 1 - correction * missRatio(entry.miniature);
        return new Estimate(entry.factor, entry.policy, Math.max(0, ratio), entry.miniature.references());
    }

    private static double missRatio(Miniature miniature) {
        double references = miniature.references();
        return (references - miniature.hits()) / references;
    }

    /** {@return the references so far that were sampled and dropped, since their queue was full or in use} */
    public long dropped() {
        return queues.dropped();
    }

    /** {@return the share of the pages that is sampled, greater than 0 and at most 1} */
    public double rate() {
        return pages.rate();
    }

    private boolean tryPlay(long[] ids, int from, int to) {
        if (!playing.tryLock()) {
            return false;
        }
        try {
            for (Miniature miniature : miniatures) {
                miniature.play(ids, from, to);
            }
            return true;
        } finally {
            playing.unlock();
        }
    }
}
