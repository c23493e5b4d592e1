// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import io.clockhand.LongWaitHandler;
import io.clockhand.PoolExhaustedException;
import io.clockhand.internal.advice.Advice;
import io.clockhand.internal.file.FileTable;
import io.clockhand.internal.flush.PageWriter;
import io.clockhand.internal.flush.UninterruptedLog;
import io.clockhand.internal.frame.DirectMemory;
import io.clockhand.internal.frame.FrameMemory;
import io.clockhand.internal.frame.FrameStates;
import io.clockhand.internal.page.PagePool;
import io.clockhand.internal.pool.BoundedWait;
import io.clockhand.internal.pool.PoolOptions;
import io.clockhand.internal.table.PageTable;
import io.clockhand.io.FilePageStore;
import io.clockhand.policy.ClockHand;
import io.clockhand.policy.Policies;
import io.clockhand.policy.ReplacementPolicy;
import io.clockhand.wal.WriteAheadLog;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;

/**
 * Settings of a {@link BufferPool}. Settings that {@code io.clockhand.cache.HolderCacheBuilder} has, too, mean the same
 * there, but for {@link #frames} and {@link #maxFrames}: a cache grows past the former by itself, a pool only when it
 * is resized. Not thread-safe.
 */
public final class BufferPoolBuilder {
    private static final int GREATEST_FRAMES = 1 << 26;
    private static final int LEAST_FLUSH_THREADS = 4;
    private static final int MOST_FLUSH_THREADS = 256;
    private static final int FRAMES_PER_FLUSH_THREAD = 64;

    private final PoolTuning tuning = new PoolTuning();
    private int pageBytes = 4096;
    private int frames = 1_000;
    /** Instead of {@code frames}, if it is not 0. */
    private long capacityBytes;
    /** 0 if not set. */
    private int maxFrames;

    private String policy = Policies.DEFAULT;
    /** Null for the policy of that name. */
    private IntFunction<ReplacementPolicy> policyMaker;

    private Duration exhaustedAfter = Duration.ofSeconds(10);
    private Duration waitTimeout = Duration.ofSeconds(30);
    private LongWaitHandler longWaitHandler = LongWaitHandler.GIVE_UP;
    private WriteAheadLog log = WriteAheadLog.NONE;
    /** Negative if not set. */
    private int lsnOffset = -1;

    /** Null for none. */
    private IntPredicate sharedUpdates;

    private boolean detectLeaks;
    /** Empty for none. */
    private String name = "";

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
     * Sets how many pages fit into memory; 1,000 if not set. The last call of this and of {@link #capacityBytes}
     * counts.
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
     * Sets up to how many pages the pool can be {@linkplain BufferPool#resize resized} while it runs; as many as fit
     * into memory at the beginning if not set. Each takes about 100 bytes of heap from the beginning, in its frame's
     * words and in the page table, but no memory for the page.
     *
     * @param count at least as many as fit in at the beginning
     * @return this builder
     */
    public BufferPoolBuilder maxFrames(int count) {
        if (count < 1 || count > GREATEST_FRAMES) {
            throw new IllegalArgumentException(
                    "maxFrames is " + count + "; it must lie between 1 and " + GREATEST_FRAMES);
        }
        maxFrames = count;
        return this;
    }

    /**
     * Sets how many bytes of pages fit into memory, instead of the number of frames.
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
     * @param policyName one of {@link Policies#names()}, with parameters or without, as {@code 2q(in=0.3)}
     * @return this builder
     */
    public BufferPoolBuilder policy(String policyName) {
        policy = Objects.requireNonNull(policyName, "policy");
        policyMaker = null;
        return this;
    }

    /**
     * Sets a replacement policy of the caller's, or one under a lock of the caller's (see {@link Policies}).
     *
     * @param policyName its name in {@linkplain #name the management bean}
     * @param maker makes a new, thread-safe policy for a number of frames; called by {@link #build}
     * @return this builder
     */
    public BufferPoolBuilder policy(String policyName, IntFunction<ReplacementPolicy> maker) {
        policy = Objects.requireNonNull(policyName, "policy");
        policyMaker = Objects.requireNonNull(maker, "maker");
        return this;
    }

    /**
     * Sets how long a miss waits when every frame is pinned; 10 seconds if not set. Then the fix fails with a {@link
     * PoolExhaustedException}.
     *
     * @param wait the longest wait: longer than 0, at most 36,525 days
     * @return this builder
     * @throws IllegalArgumentException if it is not within these limits
     */
    public BufferPoolBuilder exhaustedAfter(Duration wait) {
        exhaustedAfter = BoundedWait.checkedBound(wait, "exhaustedAfter");
        return this;
    }

    /**
     * Sets how long a thread waits for another one, which has a latch, reads or evicts a page, or creates or truncates
     * pages of a file; 30 seconds if not set. Then the {@linkplain #onLongWait handler} is called.
     *
     * @param wait the longest wait: longer than 0, at most 36,525 days
     * @return this builder
     * @throws IllegalArgumentException if it is not within these limits
     */
    public BufferPoolBuilder waitTimeout(Duration wait) {
        waitTimeout = BoundedWait.checkedBound(wait, "waitTimeout");
        return this;
    }

    /**
     * Sets what happens when a wait lasts longer than {@link #waitTimeout}; {@link LongWaitHandler#GIVE_UP} if not set.
     *
     * @param handler gives up by throwing, or returns, so that the wait goes on for the same time again
     * @return this builder
     */
    public BufferPoolBuilder onLongWait(LongWaitHandler handler) {
        longWaitHandler = Objects.requireNonNull(handler, "handler");
        return this;
    }

    /**
     * Sets the write-ahead log of the engine; {@link WriteAheadLog#NONE} if not set. No page is written to its file
     * before the log is durable up to the page's last change. The pool does not close the log: the engine closes it,
     * after the pool.
     *
     * @param writeAheadLog says where the log ends, and makes it durable
     * @return this builder
     */
    public BufferPoolBuilder log(WriteAheadLog writeAheadLog) {
        log = UninterruptedLog.of(Objects.requireNonNull(writeAheadLog, "log"));
        return this;
    }

    /**
     * Sets where in each page its LSN lies: {@link WritablePage#endUpdate(long)} stores it there, as eight bytes,
     * big-endian. If not set, the engine stores it where it needs it, or nowhere.
     *
     * @param offset where it begins, from 0
     * @return this builder
     */
    public BufferPoolBuilder lsnOffset(int offset) {
        if (offset < 0) {
            throw new IllegalArgumentException("lsnOffset is " + offset + "; it must not be negative");
        }
        lsnOffset = offset;
        return this;
    }

    /**
     * Sets which files have pages with rows of fixed size that many threads update at the same time; none if not set.
     * These pages are copied, to be written, under an exclusive latch, and {@link BufferPool#fixUpgradable} latches
     * them exclusively; see {@link SharedUpdatePage}. If {@link #lsnOffset} is set, too, it must be a multiple of 8.
     *
     * @param files tells that by the number of a file, always the same for one number; asked by the thread that opens
     *     the file, before it does, and what it throws is thrown by {@code open}; and by threads that fix a page of a
     *     file that is not open
     * @return this builder
     */
    public BufferPoolBuilder sharedUpdates(IntPredicate files) {
        sharedUpdates = Objects.requireNonNull(files, "files");
        return this;
    }

    /**
     * Names the pool in recorded events, and registers a {@link BufferPoolMXBean} of that name with the platform's
     * server, until the pool is closed. It has neither if not set.
     *
     * @param poolName the name in {@code io.clockhand:type=BufferPool,name=NAME}, quoted if it has one of {@code , = :
     *     " * ?} or a line break in it; if another open pool of this JVM has it, the bean is called {@code NAME#2}, or
     *     has the next number that is free
     * @return this builder
     */
    public BufferPoolBuilder name(String poolName) {
        if (poolName.isBlank()) {
            throw new IllegalArgumentException("the name is blank; without a call there is none");
        }
        name = poolName;
        return this;
    }

    /**
     * Sets whether the pool records the stack, the thread and the time of each pin, to find guards that are not closed;
     * off if not set. The pins are listed by {@link BufferPool#pins}, and named when the pool is exhausted, or cannot
     * be closed. On, a fix takes some microseconds more and allocates some kilobytes, more with a deeper stack, so this
     * is for tests and for the search for a leak.
     *
     * @param on whether it does
     * @return this builder
     */
    public BufferPoolBuilder detectLeaks(boolean on) {
        detectLeaks = on;
        return this;
    }

    /**
     * Sets what few programs need: {@code tuning(t -> t.prefetchThreads(8))}.
     *
     * @param settings changes the settings it is given
     * @return this builder
     */
    public BufferPoolBuilder tuning(Consumer<PoolTuning> settings) {
        settings.accept(tuning);
        return this;
    }

    /**
     * Makes the pool. Its memory is allocated as pages are read.
     *
     * @return a new, empty pool, to be closed
     * @throws IllegalArgumentException if the policy or one of its parameters is unknown, less than a page or more than
     *     67,108,864 pages fit in, or the JVM does not allow so much direct memory to this and the other open pools;
     *     the message names the setting or flag
     */
    public BufferPool build() {
        return build(policyMaker == null ? count -> Policies.create(policy, tuning.hand, count) : policyMaker);
    }

    /** For tests: with a policy of their own. */
    BufferPool build(ReplacementPolicy replacement) {
        return build(count -> replacement);
    }

    private BufferPool build(IntFunction<ReplacementPolicy> maker) {
        int count = frames();
        int rows = maxFrames();
        if (lsnOffset > pageBytes - Long.BYTES) {
            throw new IllegalArgumentException("lsnOffset is " + lsnOffset + "; an LSN of eight bytes does not fit"
                    + " there into a page of " + pageBytes + " bytes");
        }
        if (sharedUpdates != null && lsnOffset >= 0 && lsnOffset % Long.BYTES != 0) {
            throw new IllegalArgumentException("lsnOffset is " + lsnOffset
                    + "; with sharedUpdates it must be a multiple" + " of 8, so that many threads can raise an LSN");
        }
        long buffers = FrameMemory.directBytes(pageBytes, count + PagePool.spares(rows), rows + PagePool.spares(rows));
        DirectMemory.Reservation memory = DirectMemory.reserve(buffers
                + FilePageStore.EXTENSION_BYTES
                + FileTable.directBytes(pageBytes)
                + PageWriter.directBytes(pageBytes, writeBatches()));
        boolean built = false;
        try {
            BufferPool pool = new BufferPool(this, makePolicy(maker, count), memory);
            built = true;
            return pool;
        } finally {
            if (!built) {
                memory.end(List.of());
            }
        }
    }

    private ReplacementPolicy makePolicy(IntFunction<ReplacementPolicy> maker, int count) {
        ReplacementPolicy made = maker.apply(count);
        if (made == null) {
            throw new IllegalArgumentException("the maker of the policy " + policy + " has made none");
        }
        return made;
    }

    /** {@return the name of the pool, or an empty one} */
    String name() {
        return name;
    }

    String policy() {
        return policyMaker == null ? Policies.normalized(policy) : policy;
    }

    ClockHand hand() {
        return tuning.hand;
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
            throw new IllegalArgumentException("capacityBytes is " + capacityBytes + ", which holds " + fitting
                    + " pages of " + pageBytes + " bytes; it must be between 1 and " + GREATEST_FRAMES);
        }
        return (int) fitting;
    }

    int maxFrames() {
        int count = frames();
        if (maxFrames != 0 && maxFrames < count) {
            throw new IllegalArgumentException("maxFrames is " + maxFrames + ", but the pool begins with " + count
                    + " frames; it must not be less");
        }
        return Math.max(maxFrames, count);
    }

    PageTableKind table() {
        return tuning.table;
    }

    PageTable createTable(int count, FrameStates states) {
        return tuning.table.create(count, states, tuning.tableBytes((long) count * pageBytes));
    }

    PageIn pageIn() {
        return tuning.pageIn;
    }

    boolean hugePages() {
        return tuning.hugePages;
    }

    WriteAheadLog log() {
        return log;
    }

    /** Null for none. */
    IntPredicate sharedUpdates() {
        return sharedUpdates;
    }

    int lsnOffset() {
        return lsnOffset;
    }

    /** {@return the greatest number of threads of the flusher} */
    int flushThreads() {
        return tuning.flushThreads == PoolTuning.BY_FRAMES
                ? Math.max(LEAST_FLUSH_THREADS, Math.min(MOST_FLUSH_THREADS, frames() / FRAMES_PER_FLUSH_THREAD))
                : tuning.flushThreads;
    }

    Duration flushInterval() {
        return tuning.flushInterval;
    }

    boolean retriesForce() {
        return tuning.retriesForce;
    }

    /** {@return how many small batches can be written at a time: one of each thread of the flusher, some of others} */
    int writeBatches() {
        return flushThreads() + 4;
    }

    int prefetchThreads() {
        return tuning.prefetchThreads;
    }

    int readAhead() {
        return tuning.readAhead;
    }

    boolean advises() {
        return tuning.advises;
    }

    Advice newAdvice() {
        return Advice.of(frames(), tuning.adviceTimeFraction, policy(), policyMaker, tuning.advisedPolicies);
    }

    boolean detectsLeaks() {
        return detectLeaks;
    }

    /** The tracker may be null. */
    PoolOptions poolOptions(PinTracker pins) {
        return new PoolOptions(
                name,
                frames(),
                maxFrames(),
                true,
                exhaustedAfter,
                "close guards sooner, or raise frames (or capacityBytes)"
                        + (pins == null ? "; " + PinTracker.HINT : ""),
                pins == null ? PoolExhaustedException::new : pins::exhausted,
                waitTimeout,
                pins == null
                        ? longWaitHandler::onLongWait
                        : (subject, waited) -> longWaitHandler.onLongWait(subject + pins.ownInWords(), waited));
    }
}
