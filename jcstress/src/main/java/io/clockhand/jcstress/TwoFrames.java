// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import io.clockhand.NoSuchPageException;
import io.clockhand.internal.page.PagePool;
import io.clockhand.internal.page.PageSource;
import io.clockhand.internal.pool.PoolOptions;
import io.clockhand.internal.table.ChainedPageTable;
import io.clockhand.policy.ClockHand;
import io.clockhand.policy.Policies;
import java.io.IOException;
import java.time.Duration;
import java.util.function.LongFunction;

/** The smallest pool: two frames, and pages of sixteen bytes. */
final class TwoFrames {
    static final int PAGE_BYTES = 16;

    private TwoFrames() {}

    static PoolOptions options() {
        return options(2, Duration.ofSeconds(10));
    }

    private static PoolOptions options(int frames, Duration exhaustedAfter) {
        return new PoolOptions(
                "",
                frames,
                frames,
                true,
                exhaustedAfter,
                "",
                IllegalStateException::new,
                Duration.ofSeconds(10),
                (what, waited) -> {
                    throw new IllegalStateException(what);
                });
    }

    static PagePool over(PageSource source, boolean optimistic) {
        return over(options(), source, optimistic);
    }

    /** {@return a pool with enough frames for a run of two pages} */
    static PagePool manyOver(PageSource source, boolean optimistic) {
        return over(options(32, Duration.ofSeconds(10)), source, optimistic);
    }

    /** {@return a pool with one of the frames only, whose misses wait for a time} */
    static PagePool oneOf(PageSource source, Duration exhaustedAfter) {
        return over(options(1, exhaustedAfter), source, false);
    }

    private static PagePool over(PoolOptions options, PageSource source, boolean optimistic) {
        return new PagePool(
                options,
                PAGE_BYTES,
                Policies.create(Policies.DEFAULT, ClockHand.ATOMIC, options.softFrames()),
                (frames, states) -> new ChainedPageTable(frames, states::identity),
                source,
                optimistic,
                false);
    }

    /**
     * {@return what a thread that fixes a page reads}
     *
     * @param words says what the word means that the page consists of, while the page is pinned
     */
    static String read(PagePool pool, long page, LongFunction<String> words) {
        try {
            int frame = pool.pin(page);
            int buffer = pool.buffer(frame);
            long first = pool.memory().getLong(buffer, 0);
            long second = pool.memory().getLong(buffer, Long.BYTES);
            String meaning = first == second ? words.apply(first) : "torn";
            pool.unpin(frame);
            return meaning;
        } catch (NoSuchPageException e) {
            return "none";
        } catch (IOException e) {
            return "failed";
        }
    }

    /** {@return {@code good} if nothing is pinned, lost or there twice} */
    static String check(PagePool pool, String good) {
        try {
            pool.checkIntegrity();
            return pool.pinned() == 0 ? good : "pinned";
        } catch (IllegalStateException e) {
            return String.valueOf(e.getMessage());
        }
    }
}
