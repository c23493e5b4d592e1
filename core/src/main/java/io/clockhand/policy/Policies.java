// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * The replacement policies by name. All of them are thread-safe.
 *
 * <table>
 * <caption>Names</caption>
 * <tr><th>name</th><th>policy</th></tr>
 * <tr><td>{@code nb-gclock3}</td><td>Nb-GCLOCK with weights capped at 3, the default</td></tr>
 * <tr><td>{@code nb-gclock}</td><td>Nb-GCLOCK as published, weights unbounded</td></tr>
 * <tr><td>{@code 2r-gclock}</td><td>2R-GCLOCK: two rings, and ghosts with a test period</td></tr>
 * <tr><td>{@code 2r-gclock-adaptive}</td><td>the same, with a cold ring whose size follows the references</td></tr>
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
 *
 * <p>A name may be followed by parameters: {@code 2q(in=0.3,out=0.6)}, {@code bp:2q(in=0.3)}. {@link #parameters} tells
 * those of a policy. A parameter that is not set has its default, as with
 * the plain name:
 *
 * <table>
 * <caption>Parameters</caption>
 * <tr><th>policy</th><th>parameters</th></tr>
 * <tr><td>{@code nb-gclock}, {@code gclock}</td><td>{@code cap}: the greatest weight</td></tr>
 * <tr><td>{@code 2r-gclock}</td><td>{@code cold}: fraction of the cold ring</td></tr>
 * <tr><td>{@code 2r-gclock-adaptive}</td><td>{@code cold}, {@code most}: its least and its greatest fraction</td></tr>
 * <tr><td>{@code 2q}</td><td>{@code in}, {@code out}: Kin and Kout</td></tr>
 * <tr><td>{@code lirs}</td><td>{@code cold}: fraction for HIR pages; {@code ghosts} for each frame</td></tr>
 * <tr><td>{@code mq}</td><td>{@code queues}; {@code life}: life time for each frame; {@code out}: ghosts</td></tr>
 * <tr><td>{@code clock-pro}</td><td>{@code cold}: least fraction of cold frames; {@code ghosts} for each
 * frame</td></tr>
 * <tr><td>{@code s3-fifo}</td><td>{@code small}: fraction of the small queue; {@code ghosts}; {@code hits}</td></tr>
 * <tr><td>{@code w-tinylfu}</td><td>{@code window}: its fraction; {@code protected}: fraction of the others</td></tr>
 * </table>
 */
public final class Policies {
    /** The names that the answer to an unknown one shows; all others are accepted, too. */
    private static final List<String> DOZEN = List.of(
            "nb-gclock3",
            "nb-gclock",
            "2r-gclock",
            "lru",
            "clock",
            "2q",
            "lirs",
            "arc",
            "clock-pro",
            "s3-fifo",
            "sieve",
            "w-tinylfu");

    private static final int MOST_TYPING_ERRORS = 3;

    /** How names combine with forms and parameters. */
    private static final String FORMS = "; also with a form before the name (bp:, buffered:, locked: or spin:, as in "
            + "bp:lru) and parameters in parentheses after it, as in 2q(in=0.3,out=0.6)";

    /** The default policy. */
    public static final String DEFAULT = "nb-gclock3";

    /** Practically unbounded: 20 bits, saturating. */
    private static final int UNBOUNDED = (1 << 20) - 1;

    private static final PolicyParameter CAP =
            PolicyParameter.count("cap", "greatest weight of a frame", 1, UNBOUNDED, UNBOUNDED);

    private static final Map<String, Kind> LOCK_FREE = Map.of(
            "nb-gclock3", new Kind((frames, hand, values) -> new NbGclock(frames, 3, hand)),
            "nb-gclock", new Kind((frames, hand, values) -> new NbGclock(frames, count(values, "cap"), hand), CAP));

    private static final Map<String, Kind> LISTS = Map.ofEntries(
            Map.entry("lru", single(Lru::new)),
            Map.entry("fifo", single(Fifo::new)),
            Map.entry(
                    "2q",
                    new Kind(
                            (frames, hand, values) -> new TwoQ(frames, values.get("in"), values.get("out")),
                            PolicyParameter.fraction("in", "fraction of the frames", 0.01, 0.9, 0.25),
                            PolicyParameter.fraction("out", "ghosts for each frame", 0.01, 4, 0.5))),
            Map.entry(
                    "lirs",
                    new Kind(
                            (frames, hand, values) -> new Lirs(frames, values.get("cold"), values.get("ghosts")),
                            PolicyParameter.fraction("cold", "fraction of the frames for HIR pages", 0.001, 0.9, 0.01),
                            PolicyParameter.fraction("ghosts", "ghosts for each frame", 0.01, 4, 2))),
            Map.entry(
                    "mq",
                    new Kind(
                            (frames, hand, values) -> new MultiQueue(
                                    frames, count(values, "queues"), values.get("life"), values.get("out")),
                            PolicyParameter.count("queues", "number of LRU lists", 1, 31, 8),
                            PolicyParameter.fraction("life", "life time in references for each frame", 0.01, 16, 1),
                            PolicyParameter.fraction("out", "ghosts for each frame", 0.01, 4, 0.5))),
            Map.entry("arc", single(Arc::new)),
            Map.entry("car", single(Car::new)),
            Map.entry(
                    "clock-pro",
                    new Kind(
                            (frames, hand, values) -> new ClockPro(frames, values.get("cold"), values.get("ghosts")),
                            PolicyParameter.fraction(
                                    "cold", "least fraction of cold frames, and of hot ones", 0.001, 0.5, 0.01),
                            PolicyParameter.fraction("ghosts", "ghosts for each frame", 0.01, 4, 2))),
            Map.entry(
                    "s3-fifo",
                    new Kind(
                            (frames, hand, values) -> new S3Fifo(
                                    frames, values.get("small"), values.get("ghosts"), count(values, "hits")),
                            PolicyParameter.fraction(
                                    "small", "fraction of the small queue in the frames", 0.01, 0.9, 0.1),
                            PolicyParameter.fraction("ghosts", "ghosts for each frame", 0.01, 4, 0.9),
                            PolicyParameter.count("hits", "hits that lead to the main queue", 1, 3, 2))),
            Map.entry("sieve", single(Sieve::new)),
            Map.entry(
                    "w-tinylfu",
                    new Kind(
                            (frames, hand, values) ->
                                    new WTinyLfu(frames, values.get("window"), values.get("protected")),
                            PolicyParameter.fraction("window", "fraction of the frames", 0.001, 0.99, 0.01),
                            PolicyParameter.fraction("protected", "fraction of the other frames", 0.01, 0.99, 0.8))));

    private static final Map<String, Kind> SINGLE_THREADED = new TreeMap<>(LISTS);

    private static final Map<String, Kind> BY_NAME = new TreeMap<>(LOCK_FREE);

    static {
        PolicyParameter cold =
                PolicyParameter.fraction("cold", "fraction of the cold ring in the frames", 0.01, 0.9, 0.05);
        BY_NAME.put(
                "2r-gclock",
                new Kind(
                        (frames, hand, values) -> new TwoRingGclock(frames, values.get("cold"), values.get("cold")),
                        cold));
        BY_NAME.put(
                "2r-gclock-adaptive",
                new Kind(
                        (frames, hand, values) -> new TwoRingGclock(frames, values.get("cold"), values.get("most")),
                        PolicyParameter.fraction("cold", "least fraction of the cold ring", 0.01, 0.49, 0.05),
                        PolicyParameter.fraction("most", "greatest fraction of the cold ring", 0.5, 0.95, 0.5)));
        SINGLE_THREADED.put("clock", single(frames -> new Gclock(frames, 2)));
        SINGLE_THREADED.put(
                "gclock", new Kind((frames, hand, values) -> new Gclock(frames, count(values, "cap")), CAP));
        SINGLE_THREADED.put("gclock3", single(frames -> new Gclock(frames, 3)));
        SINGLE_THREADED.forEach((name, kind) -> {
            addLocked(name, kind, ReentrantLock::new);
            addLocked("locked:" + name, kind, ReentrantLock::new);
            addLocked("spin:" + name, kind, SpinLock::new);
        });
        LISTS.forEach((name, kind) -> {
            BY_NAME.put(
                    "bp:" + name,
                    kind.wrapped(
                            (policy, frames) -> batched(policy, new ReentrantLock(), frames, Batching.of(frames))));
            BY_NAME.put(
                    "buffered:" + name,
                    kind.wrapped((policy, frames) -> buffered(policy, new SpinThenParkLock(), frames)));
        });
    }

    /** A policy that has a name, with its parameters. */
    private record Kind(Maker maker, List<PolicyParameter> parameters) {
        Kind(Maker maker, PolicyParameter... parameters) {
            this(maker, List.of(parameters));
        }

        Kind wrapped(BiFunction<ReplacementPolicy, Integer, ReplacementPolicy> wrapper) {
            return new Kind(
                    (frames, hand, values) -> wrapper.apply(maker.make(frames, hand, values), frames), parameters);
        }

        ReplacementPolicy make(PolicyName name, ClockHand hand, int frames) {
            return maker.make(frames, hand, name.values(parameters));
        }
    }

    /** Makes a policy with a value for each of its parameters. */
    private interface Maker {
        ReplacementPolicy make(int frames, ClockHand hand, Map<String, Double> values);
    }

    private static Kind single(IntFunction<ReplacementPolicy> maker) {
        return new Kind((frames, hand, values) -> maker.apply(frames));
    }

    private static int count(Map<String, Double> values, String name) {
        return values.get(name).intValue();
    }

    private static void addLocked(String name, Kind kind, Supplier<Lock> locks) {
        BY_NAME.put(name, kind.wrapped((policy, frames) -> new Locked(policy, locks.get())));
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
     * @param name one of {@link #names()} without a prefix, with parameters or without
     * @param frames the number of frames of the pool
     * @return a new policy
     * @throws IllegalArgumentException if no single-threaded policy has that name, or a parameter is wrong; the message
     *     says what is possible
     */
    public static ReplacementPolicy singleThreaded(String name, int frames) {
        PolicyName parsed = PolicyName.parse(name);
        Kind kind = SINGLE_THREADED.get(parsed.policy());
        if (kind == null) {
            throw new IllegalArgumentException("there is no single-threaded policy '" + parsed.policy()
                    + "'; possible are " + String.join(", ", SINGLE_THREADED.keySet()));
        }
        return kind.make(parsed, ClockHand.DEFAULT, frames);
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
     * @param name one of {@link #names()}, with parameters or without
     */
    public static boolean hasHand(String name) {
        return LOCK_FREE.containsKey(PolicyName.parse(name).policy());
    }

    /**
     * Makes a policy with the default hand.
     *
     * @param name one of {@link #names()}, with parameters or without
     * @param frames the number of frames of the pool
     * @return a new policy
     * @throws IllegalArgumentException if no policy has that name, or a parameter is wrong; the message says what is
     *     possible
     */
    public static ReplacementPolicy create(String name, int frames) {
        return create(name, ClockHand.DEFAULT, frames);
    }

    /**
     * Makes a policy.
     *
     * @param name one of {@link #names()}, with parameters or without
     * @param hand how many threads advance the hand of {@code nb-gclock} and {@code nb-gclock3}; others ignore it
     * @param frames the number of frames of the pool
     * @return a new policy
     * @throws IllegalArgumentException if no policy has that name, or a parameter is wrong; the message says what is
     *     possible
     */
    public static ReplacementPolicy create(String name, ClockHand hand, int frames) {
        PolicyName parsed = PolicyName.parse(name);
        return kind(parsed.policy()).make(parsed, hand, frames);
    }

    private static Kind kind(String name) {
        Kind kind = BY_NAME.get(name);
        if (kind == null) {
            throw new IllegalArgumentException("there is no policy '" + name + "'" + nearest(name) + " Possible are "
                    + String.join(", ", DOZEN) + FORMS);
        }
        return kind;
    }

    /** {@return the end of a sentence on a wrong name, which asks for the nearest known one if it can be meant} */
    private static String nearest(String name) {
        return names().stream()
                .min(Comparator.comparingInt(known -> distance(known, name)))
                .filter(known -> distance(known, name) <= MOST_TYPING_ERRORS)
                .map(known -> "; did you mean " + known + "?")
                .orElse(".");
    }

    /** The edit distance (Levenshtein), one row of the table at a time. */
    private static int distance(String from, String to) {
        int[] row = IntStream.rangeClosed(0, to.length()).toArray();
        for (int i = 1; i <= from.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                int replaced = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[to.length()];
    }

    /**
     * Checks a name, and writes its parameters in the order of the table above, without spaces and needless zeros:
     * {@code 2q(in=0.3,out=1)} for {@code 2q( out = 1.0, in = 0.30 )}. A name without parameters is returned as it is.
     *
     * @param name one of {@link #names()}, with parameters or without
     * @return the name in the form of reports
     * @throws IllegalArgumentException if there is no such policy, or a parameter is wrong; the message says what is
     *     possible
     */
    public static String normalized(String name) {
        PolicyName parsed = PolicyName.parse(name);
        return parsed.normalized(kind(parsed.policy()).parameters());
    }

    /**
     * {@return the parameters that a policy's name can set, in the order of the normalized name}
     *
     * @param name one of {@link #names()}, with parameters or without
     * @throws IllegalArgumentException if there is no such policy; the message lists the names
     */
    static List<PolicyParameter> parameters(String name) {
        return kind(PolicyName.parse(name).policy()).parameters();
    }
}
