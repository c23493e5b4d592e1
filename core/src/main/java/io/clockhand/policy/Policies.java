// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/**
 * The replacement policies by name. All of them are thread-safe.
 *
 * <table>
 * <caption>Names</caption>
 * <tr><th>name</th><th>policy</th></tr>
 * <tr><td>{@code nb-gclock3}</td><td>Nb-GCLOCK with weights capped at 3, the default</td></tr>
 * <tr><td>{@code nb-gclock}</td><td>Nb-GCLOCK as published, weights unbounded</td></tr>
 * <tr><td>{@code 2r-gclock}</td><td>2R-GCLOCK: two rings, and ghosts with a test period</td></tr>
 * <tr><td>{@code 2r-gclock-adaptive}</td><td>the same, with a cold ring whose share follows the references</td></tr>
 * <tr><td>{@code lru}</td><td>least recently used</td></tr>
 * <tr><td>{@code clock}</td><td>CLOCK: GCLOCK with weights capped at 2</td></tr>
 * <tr><td>{@code gclock}, {@code gclock3}</td><td>GCLOCK, weights unbounded or capped at 3</td></tr>
 * <tr><td>{@code fifo}</td><td>first in, first out</td></tr>
 * <tr><td>{@code 2q}</td><td>the full version of 2Q</td></tr>
 * <tr><td>{@code lirs}</td><td>LIRS</td></tr>
 * <tr><td>{@code mq}</td><td>MQ, the multi-queue policy</td></tr>
 * <tr><td>{@code arc}</td><td>ARC</td></tr>
 * <tr><td>{@code car}</td><td>CAR: ARC with clocks instead of lists</td></tr>
 * <tr><td>{@code clock-pro}</td><td>CLOCK-Pro: LIRS with clocks</td></tr>
 * <tr><td>{@code s3-fifo}</td><td>S3-FIFO</td></tr>
 * <tr><td>{@code sieve}</td><td>SIEVE</td></tr>
 * <tr><td>{@code w-tinylfu}</td><td>W-TinyLFU with a window of 1 %</td></tr>
 * </table>
 *
 * <p>All but the first four are single-threaded. They run under a lock that every hit and every miss acquires, unless
 * they are wrapped:
 *
 * <table>
 * <caption>Ways to make a single-threaded policy thread-safe</caption>
 * <tr><th>name</th><th>how</th></tr>
 * <tr><td>{@code locked:lru}</td><td>the same as {@code lru}: waiters park</td></tr>
 * <tr><td>{@code spin:lru}</td><td>waiters spin, as in the baselines of the Nb-GCLOCK paper; for comparisons</td></tr>
 * <tr><td>{@code bp:lru}</td><td>BP-Wrapper (X. Ding and others, ICDE 2009): hits are batched, and prefetched in
 * pools of 524,288 frames and more; for list policies</td></tr>
 * <tr><td>{@code buffered:lru}</td><td>BP-Wrapper with lossy hit buffers: no hit waits, some are lost; for list
 * policies</td></tr>
 * </table>
 */
public final class Policies {
    /** The default policy. */
    public static final String DEFAULT = "nb-gclock3";

    /** Practically unbounded: 20 bits, saturating. */
    private static final int UNBOUNDED = (1 << 20) - 1;

    private static final Map<String, BiFunction<Integer, ClockHand, ReplacementPolicy>> LOCK_FREE = Map.of(
            "nb-gclock3", (frames, hand) -> new NbGclock(frames, 3, hand),
            "nb-gclock", (frames, hand) -> new NbGclock(frames, UNBOUNDED, hand));

    private static final Map<String, IntFunction<ReplacementPolicy>> LISTS = Map.ofEntries(
            Map.entry("lru", Lru::new),
            Map.entry("fifo", Fifo::new),
            Map.entry("2q", TwoQ::new),
            Map.entry("lirs", Lirs::new),
            Map.entry("mq", MultiQueue::new),
            Map.entry("arc", Arc::new),
            Map.entry("car", Car::new),
            Map.entry("clock-pro", ClockPro::new),
            Map.entry("s3-fifo", S3Fifo::new),
            Map.entry("sieve", Sieve::new),
            Map.entry("w-tinylfu", WTinyLfu::new));

    private static final Map<String, IntFunction<ReplacementPolicy>> SINGLE_THREADED = new TreeMap<>(LISTS);

    private static final Map<String, BiFunction<Integer, ClockHand, ReplacementPolicy>> BY_NAME =
            new TreeMap<>(LOCK_FREE);

    static {
        BY_NAME.put("2r-gclock", (frames, hand) -> new TwoRingGclock(frames));
        BY_NAME.put("2r-gclock-adaptive", (frames, hand) -> new TwoRingGclock(frames, new ListedFrames(frames), true));
        SINGLE_THREADED.put("clock", frames -> new Gclock(frames, 2));
        SINGLE_THREADED.put("gclock", frames -> new Gclock(frames, UNBOUNDED));
        SINGLE_THREADED.put("gclock3", frames -> new Gclock(frames, 3));
        SINGLE_THREADED.forEach((name, maker) -> {
            addLocked(name, maker, ReentrantLock::new);
            addLocked("locked:" + name, maker, ReentrantLock::new);
            addLocked("spin:" + name, maker, SpinLock::new);
        });
        LISTS.forEach((name, maker) -> {
            BY_NAME.put(
                    "bp:" + name,
                    (frames, hand) -> batched(maker.apply(frames), new ReentrantLock(), frames, Batching.of(frames)));
            BY_NAME.put(
                    "buffered:" + name,
                    (frames, hand) -> buffered(maker.apply(frames), new SpinThenParkLock(), frames));
        });
    }

    private static void addLocked(String name, IntFunction<ReplacementPolicy> maker, Supplier<Lock> locks) {
        BY_NAME.put(name, (frames, hand) -> new Locked(maker.apply(frames), locks.get()));
    }

    private Policies() {}

    /**
     * Wraps a policy so that each of its calls acquires a lock: the simplest way to make a policy of one's own
     * thread-safe.
     *
     * @param policy a single-threaded policy
     * @param lock its lock; reentrant if the caller wants to hold it around calls of the pool
     * @return the policy, thread-safe
     */
    public static ReplacementPolicy locked(ReplacementPolicy policy, Lock lock) {
        return new Locked(policy, lock);
    }

    /**
     * Makes a policy that is not thread-safe: for simulators, and to be wrapped.
     *
     * @param name one of {@link #names()} without a prefix
     * @param frames the number of frames of the pool
     * @return a new policy
     * @throws IllegalArgumentException if no single-threaded policy has that name; the message lists the names
     */
    public static ReplacementPolicy singleThreaded(String name, int frames) {
        IntFunction<ReplacementPolicy> maker = SINGLE_THREADED.get(name);
        if (maker == null) {
            throw new IllegalArgumentException("there is no single-threaded policy '" + name + "'; possible are "
                    + String.join(", ", SINGLE_THREADED.keySet()));
        }
        return maker.apply(frames);
    }

    /**
     * Wraps a policy by BP-Wrapper: hits are batched. With queues of one hit nothing is queued: every hit acquires
     * the lock, after prefetching if {@code batching} asks for it.
     *
     * @param policy a single-threaded policy, prefetched if it is a {@link PrefetchablePolicy}
     * @param lock its lock, acquired by every miss and every batch of hits
     * @param frames the number of frames of the pool
     * @param batching how hits are batched
     * @return the policy, thread-safe
     */
    public static ReplacementPolicy batched(ReplacementPolicy policy, Lock lock, int frames, Batching batching) {
        if (batching.queueSize() == 1) { // nothing to queue
            return batching.prefetch() && policy instanceof PrefetchablePolicy prefetchable
                    ? new Prefetching(prefetchable, lock)
                    : new Locked(policy, lock);
        }
        return new BpWrapper(policy, lock, frames, batching);
    }

    /**
     * Wraps a policy by BP-Wrapper with lossy hit buffers: no hit waits for the lock, and some are lost.
     *
     * @param policy a single-threaded policy, prefetched in large pools if it is a {@link PrefetchablePolicy}
     * @param lock its lock, acquired by every miss
     * @param frames the number of frames of the pool
     * @return the policy, thread-safe
     */
    public static ReplacementPolicy buffered(ReplacementPolicy policy, Lock lock, int frames) {
        return new LossyHitBuffer(policy, lock, frames);
    }

    /** {@return the names of all policies, sorted} */
    public static List<String> names() {
        return List.copyOf(BY_NAME.keySet());
    }

    /**
     * {@return whether a policy has a {@link ClockHand} to choose; the others ignore it}
     *
     * @param name one of {@link #names()}
     */
    public static boolean hasHand(String name) {
        return LOCK_FREE.containsKey(name);
    }

    /**
     * Makes a policy with the default hand.
     *
     * @param name one of {@link #names()}
     * @param frames the number of frames of the pool
     * @return a new policy
     * @throws IllegalArgumentException if no policy has that name; the message lists the names
     */
    public static ReplacementPolicy create(String name, int frames) {
        return create(name, ClockHand.DEFAULT, frames);
    }

    /**
     * Makes a policy.
     *
     * @param name one of {@link #names()}
     * @param hand how many threads advance the hand of {@code nb-gclock} and {@code nb-gclock3}; others ignore it
     * @param frames the number of frames of the pool
     * @return a new policy
     * @throws IllegalArgumentException if no policy has that name; the message lists the names
     */
    public static ReplacementPolicy create(String name, ClockHand hand, int frames) {
        BiFunction<Integer, ClockHand, ReplacementPolicy> maker = BY_NAME.get(name);
        if (maker == null) {
            throw new IllegalArgumentException(
                    "there is no policy '" + name + "'; possible are " + String.join(", ", names()));
        }
        return maker.apply(frames, hand);
    }
}
