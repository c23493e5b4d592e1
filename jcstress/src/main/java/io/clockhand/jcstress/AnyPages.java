// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import io.clockhand.internal.page.PagePool;
import io.clockhand.internal.page.PageSource;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Pages that all exist, with any bytes. */
class AnyPages implements PageSource {

    /** {@return the frame of a page, pinned} */
    static int pin(PagePool pool, long page) {
        try {
            return pool.pin(page);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void check(long id) {}

    @Override
    public void read(long id, ByteBuffer target) throws IOException {
        target.position(target.limit());
    }

    @Override
    public String file(long id) {
        return "the test";
    }

    @Override
    public long page(long id) {
        return id;
    }

    @Override
    public String describe(long id) {
        return "page " + id;
    }
}
