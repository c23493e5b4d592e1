// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import io.clockhand.LongWaitHandler;
import io.clockhand.PoolExhaustedException;
import io.clockhand.internal.file.FileTable;
import io.clockhand.internal.frame.DirectMemory;
import io.clockhand.internal.frame.FrameMemory;
import io.clockhand.internal.page.PagePool;
import io.clockhand.internal.pool.PoolOptions;
import io.clockhand.io.FilePageStore;
import io.clockhand.policy.ClockHand;
import io.clockhand.policy.Policies;
import io.clockhand.policy.ReplacementPolicy;
import java.time.Duration;
import java.util.Objects;
import java.util.function.IntFunction;

/** Settings of a {@link BufferPool}. Not thread-safe. */
public final class BufferPoolBuilder {
    private static final int GREATEST_FRAMES = 1 << 26;
    private static final int MOST_PREFETCH_THREADS = 256;
    private static final Duration A_CENTURY = Duration.ofDays(36_525);

    private int pageBytes = 4096;
    private int frames = 1_000;
    /** Instead of {@code frames}, if it is not 0. */
    private long capacityBytes;

    private String policy = Policies.DEFAULT;
    /** Null for the policy of that name. */
    private IntFunction<ReplacementPolicy> policyMaker;

    private ClockHand hand = ClockHand.DEFAULT;
    private PageTableKind table = PageTableKind.DEFAULT;
    private PageIn pageIn = PageIn.DEFAULT;
    private Duration exhaustedAfter = Duration.ofSeconds(10);
    private Duration waitTimeout = Duration.ofSeconds(30);
    private int prefetchThreads = 4;
    private boolean detectLeaks;
    /** Empty for none. */
    private String mxBean = "";

    BufferPoolBuilder() {}

    /**
     * Sets the size of a page; 4,096 bytes if not set.
     *
     * @param bytes a power of two from 512 to 65,536
     * @return this builder
     */
    public BufferPoolBuilder pageBytes(int bytes) {
        FilePageStore.checkPageBytes(bytes);
        pageBytes = bytes;
        return this;
    }

    /**
     * Sets how many pages fit in; 1,000 if not set.
     *
     * @param count at least 1
     * @return this builder
     */
    public BufferPoolBuilder frames(int count) {
        if (count < 1 || count > GREATEST_FRAMES) {
            throw new IllegalArgumentException("frames is " + count + "; it must lie between 1 and " + GREATEST_FRAMES);
        }
        frames = count;
        capacityBytes = 0;
        return this;
    }

    /**
     * Sets how many bytes of pages fit in, instead of the number of frames.
     *
     * @param bytes at least one page
     * @return this builder
     */
    public BufferPoolBuilder capacityBytes(long bytes) {
        if (bytes < 1) {
            throw new IllegalArgumentException(
                    "capacityBytes is " + bytes + "; it must be at least the size of a page");
        }
        capacityBytes = bytes;
        return this;
    }

    /**
     * Sets the replacement policy; {@link Policies#DEFAULT} if not set.
     *
     * @param name one of {@link Policies#names()}
     * @return this builder
     */
    public BufferPoolBuilder policy(String name) {
        policy = Objects.requireNonNull(name, "policy");
        policyMaker = null;
        return this;
    }

    /**
     * Sets a replacement policy of one's own, or one under a lock of one's own (see {@link Policies}).
     *
     * @param name what it is called in {@linkplain #mxBean the MXBean}
     * @param maker makes a new, thread-safe policy for so many frames; called by {@link #build}
     * @return this builder
     */
    public BufferPoolBuilder policy(String name, IntFunction<ReplacementPolicy> maker) {
        policy = Objects.requireNonNull(name, "name");
        policyMaker = Objects.requireNonNull(maker, "maker");
        return this;
    }

    /**
     * Sets how policies of the clock family move their hand; {@link ClockHand#DEFAULT} if not set.
     *
     * @param clockHand the kind of hand
     * @return this builder
     */
    public BufferPoolBuilder hand(ClockHand clockHand) {
        hand = Objects.requireNonNull(clockHand, "hand");
        return this;
    }

    /**
     * Sets the table in which pages are looked up; {@link PageTableKind#DEFAULT} if not set.
     *
     * @param kind the kind of table
     * @return this builder
     */
    public BufferPoolBuilder table(PageTableKind kind) {
        table = Objects.requireNonNull(kind, "table");
        return this;
    }

    /**
     * Sets what a thread does that needs a page which another is reading; {@link PageIn#DEFAULT} if not set.
     *
     * @param way what it does
     * @return this builder
     */
    public BufferPoolBuilder pageIn(PageIn way) {
        pageIn = Objects.requireNonNull(way, "pageIn");
        return this;
    }

    /**
     * Sets how long a miss waits when every frame is pinned; 10 seconds if not set.
     *
     * @param wait the longest wait
     * @return this builder
     */
    public BufferPoolBuilder exhaustedAfter(Duration wait) {
        exhaustedAfter = positive(wait, "exhaustedAfter");
        return this;
    }

    /**
     * Sets how long a thread waits for another one: for a latch, or a page that the other is reading or throwing out;
     * 30 seconds if not set.
     *
     * @param wait the longest wait
     * @return this builder
     */
    public BufferPoolBuilder waitTimeout(Duration wait) {
        waitTimeout = positive(wait, "waitTimeout");
        return this;
    }

    /**
     * Sets how many threads {@linkplain BufferPool#prefetch read ahead}, which is how many such reads are under way at
     * most; 4 if not set. They are started when they are needed, and end when they are not.
     *
     * @param count 0, for no read-ahead, to 256
     * @return this builder
     */
    public BufferPoolBuilder prefetchThreads(int count) {
        if (count < 0 || count > MOST_PREFETCH_THREADS) {
            throw new IllegalArgumentException(
                    "prefetchThreads is " + count + "; it must lie between 0 and " + MOST_PREFETCH_THREADS);
        }
        prefetchThreads = count;
        return this;
    }

    /**
     * Sets whether the pool notes for each pin where and when the page was fixed, for {@link BufferPool#pins}, {@link
     * PoolExhaustedException}, and a {@linkplain BufferPool#close close} that is refused; off if not set.
     *
     * <p>While it is off a hit to read pays about a nanosecond. While it is on, a fix and its unfix take 2 to 3 µs more
     * where the stack has 20 calls, and 7 to 11 µs more where it has 100 (a hit takes 0.05 µs without), and allocate
     * 800 and 2,900 bytes, which stay as long as the pin does. So it is for tests, and for the search for a leak.
     * Measured on OpenJDK 17.0.15, two cores of an AMD EPYC VM.
     *
     * @param on whether it does
     * @return this builder
     */
    public BufferPoolBuilder detectLeaks(boolean on) {
        detectLeaks = on;
        return this;
    }

    /**
     * Shows the pool to JMX, as a {@link BufferPoolMXBean} of the platform's server, until it is closed; not shown if
     * not set. Events of Flight Recorder have the name, too.
     *
     * @param name the name of the pool: {@code io.clockhand:type=BufferPool,name=NAME}, quoted if it has one of {@code
     *     , = : " * ?} or a line break in it; no other open pool of this JVM may have it
     * @return this builder
     */
    public BufferPoolBuilder mxBean(String name) {
        if (name.isBlank()) {
            throw new IllegalArgumentException("the name of the MXBean is blank; without a call there is none");
        }
        mxBean = name;
        return this;
    }

    private static Duration positive(Duration wait, String setting) {
        if (wait.isNegative() || wait.isZero()) {
            throw new IllegalArgumentException(setting + " is " + wait + "; it must be longer than nothing");
        }
        return wait.compareTo(A_CENTURY) > 0 ? A_CENTURY : wait; // a duration that fits into nanoseconds
    }

    /**
     * Makes the pool. Its memory is taken as pages come.
     *
     * @return a new, empty pool, to be closed
     * @throws IllegalArgumentException if the policy is unknown, less than a page or more than 67,108,864 pages fit in,
     *     or the JVM does not allow so much direct memory; the message names the setting or flag
     * @throws IllegalStateException if there is an {@linkplain #mxBean MXBean} of the name already
     */
    public BufferPool build() {
        int count = frames();
        long buffers = FrameMemory.directBytes(pageBytes, count + PagePool.spares(count));
        DirectMemory.checkAvailable(buffers + FileTable.directBytes(pageBytes));
        return build(policyMaker == null ? Policies.create(policy, hand, count) : policyMaker.apply(count));
    }

    /** For tests: with a policy of their own. */
    BufferPool build(ReplacementPolicy replacement) {
        return new BufferPool(this, replacement);
    }

    /** {@return what the pool is called; empty if it has no name} */
    String name() {
        return mxBean;
    }

    String policy() {
        return policy;
    }

    ClockHand hand() {
        return hand;
    }

    int pageBytes() {
        return pageBytes;
    }

    int frames() {
        if (capacityBytes == 0) {
            return frames;
        }
        long fitting = capacityBytes / pageBytes;
        if (fitting < 1 || fitting > GREATEST_FRAMES) {
            throw new IllegalArgumentException("capacityBytes is " + capacityBytes + ", which is room for " + fitting
                    + " pages of " + pageBytes + " bytes; it must be between 1 and " + GREATEST_FRAMES);
        }
        return (int) fitting;
    }

    PageTableKind table() {
        return table;
    }

    PageIn pageIn() {
        return pageIn;
    }

    int prefetchThreads() {
        return prefetchThreads;
    }

    Duration waitTimeout() {
        return waitTimeout;
    }

    boolean detectsLeaks() {
        return detectLeaks;
    }

    /** The tracker may be null. */
    PoolOptions poolOptions(PinTracker pins) {
        return new PoolOptions(
                mxBean,
                true,
                frames(),
                frames(),
                true,
                exhaustedAfter,
                "close guards sooner, or raise frames (or capacityBytes)"
                        + (pins == null ? "; " + PinTracker.HINT : ""),
                pins == null ? PoolExhaustedException::new : pins::exhausted,
                waitTimeout,
                LongWaitHandler.GIVE_UP::onLongWait);
    }
}
