// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import io.clockhand.internal.frame.FrameRef;
import io.clockhand.internal.page.PagePool;
import io.clockhand.internal.page.PageSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;

/** A pool of two frames over pages that say which they are, one of which cannot be read the first time. */
final class ColdPage implements PageSource {
    static final long PAGE = 7;

    private final AtomicInteger failuresLeft;
    private final PagePool pool;

    ColdPage(boolean optimistic, int failures) {
        this.failuresLeft = new AtomicInteger(failures);
        this.pool = TwoFrames.over(this, optimistic);
    }

    @Override
    public void check(long id) {
        // all pages exist
    }

    @Override
    public void read(long id, ByteBuffer target) throws IOException {
        if (failuresLeft.get() > 0 && failuresLeft.getAndDecrement() > 0) {
            throw new IOException("injected");
        }
        target.putLong(id).putLong(id);
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

    /** Fixes the page, reads it, unfixes it. */
    String use(long id) {
        try {
            int frame = pool.pin(id);
            int buffer = pool.buffer(frame);
            boolean right = isRight(buffer, id);
            pool.unpin(frame);
            return right ? "right" : "wrong";
        } catch (IOException e) {
            return "failed";
        }
    }

    /** Acquires a share in the page, reads it, releases it. */
    String share(long id) {
        try {
            FrameRef read = pool.newRef();
            int frame = pool.share(id, read);
            if (frame != PagePool.SHARED) {
                pool.latches().acquireShared(frame, Long.MAX_VALUE);
                pool.beginShared(frame, read);
                pool.unpin(frame);
            }
            boolean right = isRight(read.buffer(), id);
            read.endShare();
            return right ? "right" : "wrong";
        } catch (IOException e) {
            return "failed";
        }
    }

    private boolean isRight(int buffer, long id) {
        return pool.memory().getLong(buffer, 0) == id && pool.memory().getLong(buffer, 8) == id;
    }

    /** {@return whether nothing is pinned, lost or there twice} */
    String end() {
        return TwoFrames.check(pool, "whole");
    }
}
