// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import io.clockhand.NoSuchPageException;
import io.clockhand.internal.page.PagePool;
import io.clockhand.internal.page.PageRun;
import io.clockhand.internal.page.PageSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;

/**
 * A page that is truncated, and created again with other bytes. {@code exists} and {@code life} are volatile, and
 * only the truncating thread writes them.
 */
final class TruncatedPage implements PageSource {
    static final long PAGE = 7;
    /** The time that truncating a file takes. */
    private static final int TRUNCATION_SPINS = 50;

    private final PagePool pool;
    private volatile boolean exists = true;
    private volatile long life = 1;

    /** With runs, if the page before is read together with it. */
    TruncatedPage(boolean runs) {
        pool = runs ? TwoFrames.manyOver(this, true) : TwoFrames.over(this, false);
    }

    @Override
    public void check(long id) {
        if (!exists) {
            throw new NoSuchPageException("no page " + id);
        }
    }

    @Override
    public void read(long id, ByteBuffer target) {
        long read = life;
        target.putLong(read).putLong(read);
    }

    @Override
    public String file(long id) {
        return "no file";
    }

    @Override
    public long page(long id) {
        return id;
    }

    @Override
    public String describe(long id) {
        return "page " + id;
    }

    @Override
    public int run(long id, int most) {
        return (int) Math.max(1, Math.min(most, PAGE + 1 - id));
    }

    @Override
    public void readRun(long first, ByteBuffer[] targets, int count) {
        for (int i = 0; i < count; i++) {
            long read = life;
            while (targets[i].hasRemaining()) {
                targets[i].putLong(read);
            }
        }
    }

    void truncateAndCreate() {
        exists = false;
        try {
            pool.invalidate(PAGE, PAGE, false);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        for (int i = 0; i < TRUNCATION_SPINS; i++) {
            Thread.onSpinWait();
        }
        life = 2;
        exists = true;
    }

    /** Reads the page, and the one before it, if there is no other thread that does. */
    void prefetch() {
        try {
            pool.prefetch(PAGE - 1, 2, new PageRun());
        } catch (NoSuchPageException e) {
            // truncated
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@return what a thread that fixes the page reads} */
    String use() {
        return TwoFrames.read(pool, PAGE, word -> word == 1 ? "old" : "new");
    }

    /** {@return what a thread reads now, and whether nothing is pinned, lost or there twice} */
    String end() {
        return TwoFrames.check(pool, use());
    }
}
