// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import io.clockhand.NoSuchPageException;
import io.clockhand.internal.page.PagePool;
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

    private final PagePool pool = TwoFrames.over(this, false);
    private volatile boolean exists = true;
    private volatile long life = 1;

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

    /** {@return what a thread that fixes the page reads} */
    String use() {
        return TwoFrames.read(pool, PAGE, word -> word == 1 ? "old" : "new");
    }

    /** {@return what a thread reads now, and whether nothing is pinned, lost or there twice} */
    String end() {
        return TwoFrames.check(pool, use());
    }
}
