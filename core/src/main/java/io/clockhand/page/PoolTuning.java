// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import io.clockhand.internal.advice.Advice;
import io.clockhand.internal.page.PageRun;
import io.clockhand.internal.pool.BoundedWait;
import io.clockhand.policy.ClockHand;
import io.clockhand.policy.Policies;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** Settings of a {@link BufferPool} that few programs need; see {@link BufferPoolBuilder#tuning}. Not thread-safe. */
public final class PoolTuning {
    private static final int MOST_PREFETCH_THREADS = 256;
    private static final int MOST_FLUSH_THREADS = 256;
    /** Of {@code flushThreads}: not set. */
    static final int BY_FRAMES = -1;

    private static final double TABLE_FRACTION = 1.0 / 64;
    /** Of the chunks of a small pool, unless the fraction is 0. */
    private static final long LEAST_TABLE_BYTES = 1 << 16;

    ClockHand hand = ClockHand.DEFAULT;
    PageTableKind table = PageTableKind.DEFAULT;
    double tableMemoryFraction = TABLE_FRACTION;
    PageIn pageIn = PageIn.DEFAULT;
    boolean hugePages = true;
    int prefetchThreads = 4;
    int readAhead = PageRun.MOST_PAGES;
    int flushThreads = BY_FRAMES;
    Duration flushInterval = Duration.ofSeconds(1);
    boolean retriesForce;
    boolean advises;
    List<String> advisedPolicies = List.of("lirs");
    double adviceTimeFraction = Advice.DEFAULT_FRACTION;

    PoolTuning() {}

    /**
     * Sets how policies of the clock family move their hand; {@link ClockHand#DEFAULT} if not set.
     *
     * @param clockHand the kind of hand
     * @return this
     */
    public PoolTuning hand(ClockHand clockHand) {
        hand = Objects.requireNonNull(clockHand, "hand");
        return this;
    }

    /**
     * Sets the table in which pages are looked up; {@link PageTableKind#DEFAULT} if not set.
     *
     * @param kind the kind of table
     * @return this
     */
    public PoolTuning table(PageTableKind kind) {
        table = Objects.requireNonNull(kind, "table");
        return this;
    }

    /**
     * Sets how much memory the chunks of {@link PageTableKind#ARRAY} may take, as a fraction of the bytes of the pool's
     * pages; 1/64 if not set. A page of a chunk takes four bytes: with pages of 4 KiB, 1/64 suffices for files that are
     * eight times as large as the pool, if they are used everywhere. Unless the fraction is 0, chunks may always take
     * 64 KiB. Pages for which there is no chunk go through a table like {@link PageTableKind#CHAINED}, which is
     * allocated when it is first needed and is not counted in it, and are found more slowly than there; neighbours of
     * such a page do, too, until all of them have left the pool.
     *
     * @param fraction 0 to 1
     * @return this
     */
    public PoolTuning tableMemoryFraction(double fraction) {
        if (!(fraction >= 0 && fraction <= 1)) {
            throw new IllegalArgumentException("tableMemoryFraction is " + fraction + "; it must lie between 0 and 1");
        }
        tableMemoryFraction = fraction;
        return this;
    }

    /** {@return the bound of the chunks' memory} */
    long tableBytes(long pageBytes) {
        return tableMemoryFraction == 0 ? 0 : Math.max(LEAST_TABLE_BYTES, (long) (pageBytes * tableMemoryFraction));
    }

    /**
     * Sets what a thread does that needs a page which another thread reads; {@link PageIn#DEFAULT} if not set.
     *
     * @param way what it does
     * @return this
     */
    public PoolTuning pageIn(PageIn way) {
        pageIn = Objects.requireNonNull(way, "pageIn");
        return this;
    }

    /**
     * Sets whether pages lie in native memory with huge pages advised, where that is possible; if not set, they do. It
     * is possible on Linux with Java 22 or later, if the application has enabled native access for the module ({@code
     * --enable-native-access=io.clockhand}, or {@code ALL-UNNAMED} if the library is on the class path) and a pool has
     * at least 2 MiB of pages. Otherwise pages lie in direct buffers, and nothing is printed; {@link PoolStats#memory}
     * has the reason.
     *
     * @param on whether they do
     * @return this
     */
    public PoolTuning hugePages(boolean on) {
        hugePages = on;
        return this;
    }

    /**
     * Sets how many threads {@linkplain PagedFile#prefetch prefetch}, which is the number of such reads at a time; 4 if
     * not set. They are started when they are needed, and end when they are idle.
     *
     * @param count 0, for no prefetch, to 256
     * @return this
     */
    public PoolTuning prefetchThreads(int count) {
        if (count < 0 || count > MOST_PREFETCH_THREADS) {
            throw new IllegalArgumentException(
                    "prefetchThreads is " + count + "; it must lie between 0 and " + MOST_PREFETCH_THREADS);
        }
        prefetchThreads = count;
        return this;
    }

    /**
     * Sets how many adjacent pages are read at once when misses follow each other from page to page, upwards; 64 if not
     * set, but not more than 256 KiB or a sixteenth of the frames. The third miss of such a sequence reads four pages,
     * each further one twice as many. If the operating system does not read ahead itself, as with direct I/O, a thread
     * for {@linkplain #prefetchThreads prefetches} reads the next pages at the same time, once the greatest number is
     * reached. Only files whose {@linkplain io.clockhand.io.PageStore#readsRuns store reads runs} are read ahead, as a
     * {@link io.clockhand.io.FilePageStore} is, and never into a frame that another thread waits for; not with {@link
     * PageIn#BLOCKING}. Scans read ahead at most 16 pages, fewer in pools of less than 8,192 frames, and none in those
     * of less than 1,024.
     *
     * @param pages 1, for none, to 64
     * @return this
     */
    public PoolTuning readAhead(int pages) {
        if (pages < 1 || pages > PageRun.MOST_PAGES) {
            throw new IllegalArgumentException(
                    "readAhead is " + pages + "; it must lie between 1 and " + PageRun.MOST_PAGES);
        }
        readAhead = pages;
        return this;
    }

    /**
     * Sets how many threads may write changed pages in the background, which bounds such writes at a time; if not set,
     * a thread for 64 frames, but at least 4 and at most 256. As many write as half of the pages that misses have met
     * and that are not written yet, but four at most if a store takes batches. Threads are started when they are
     * needed, and end when they are idle. Without any, changed pages are written by flushes, and by misses that find no
     * other frame.
     *
     * @param count 0 to 256
     * @return this
     */
    public PoolTuning flushThreads(int count) {
        if (count < 0 || count > MOST_FLUSH_THREADS) {
            throw new IllegalArgumentException(
                    "flushThreads is " + count + "; it must lie between 0 and " + MOST_FLUSH_THREADS);
        }
        flushThreads = count;
        return this;
    }

    /**
     * Sets for about how long a changed page stays unwritten while nothing else makes the flusher write it; one second
     * if not set. A page is written between one and two intervals after its first change since the last write.
     *
     * @param interval longer than 0, at most 36,525 days
     * @return this
     */
    public PoolTuning flushInterval(Duration interval) {
        flushInterval = BoundedWait.checkedBound(interval, "flushInterval");
        return this;
    }

    /**
     * Sets whether a force that has failed may be tried again; if not set, such a failure is final, see {@link
     * io.clockhand.PoolFailedException}. Only for stores that keep what they could not write: the files of many
     * operating systems do not.
     *
     * @param retries whether a later force that succeeds makes up for it
     * @return this
     */
    public PoolTuning retryFailedForce(boolean retries) {
        retriesForce = retries;
        return this;
    }

    /**
     * Sets whether the pool estimates the hit ratios that it would have at a quarter, half, once, twice and four times
     * its size, with its own policy and {@linkplain #advisedPolicies others}; if not set, it does not, and fixes pay
     * nothing for it. References of a sample of the pages are played through small models of these caches, by the
     * threads that fix pages. {@link PoolStats#estimates} has the result. Prefetches are no references, nor are
     * {@linkplain PageGuard#fixForScan scans}, and pages that cease to exist stay in the models. Pages that are dirty
     * or pinned can be evicted there.
     *
     * @param on whether it does
     * @return this
     */
    public PoolTuning advises(boolean on) {
        advises = on;
        return this;
    }

    /**
     * Sets for which policies besides the pool's own the pool estimates hit ratios, if it {@linkplain #advises does};
     * {@code lirs} if not set. Each takes memory and time.
     *
     * @param names some of {@link Policies#names()}, with parameters or without, or none
     * @return this
     * @throws IllegalArgumentException if there is no such policy, or a parameter is wrong
     */
    public PoolTuning advisedPolicies(String... names) {
        advisedPolicies = Stream.of(names).map(Policies::normalized).toList();
        return this;
    }

    /**
     * Sets the greatest fraction of a thread's time that the estimates may take, if the pool {@linkplain #advises makes
     * them}; 1/400 if not set. If recording all references would take more, they are recorded in bursts, with pauses
     * between them, once the models have been filled; so the estimates need more time. With 1 all are recorded.
     *
     * @param fraction greater than 0, at most 1
     * @return this
     */
    public PoolTuning adviceTimeFraction(double fraction) {
        adviceTimeFraction = Advice.checkedFraction(fraction);
        return this;
    }
}
