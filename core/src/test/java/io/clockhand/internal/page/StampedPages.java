// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.page;

import java.io.IOException;
import java.nio.ByteBuffer;

/** A source of pages that hold their numbers. Each page exists; a test overrides what is to fail. */
class StampedPages implements PageSource {
    @Override
    public void check(long id) {
        // every page exists
    }

    @Override
    public void read(long id, ByteBuffer target) throws IOException {
        while (target.hasRemaining()) {
            target.putLong(id);
        }
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
        return "page " + id + " of the test";
    }

    /** For sources that read runs. */
    static void stampRun(long first, ByteBuffer[] targets, int count) {
        long id = first;
        for (int i = 0; i < count; i++) {
            int pageBytes = 512;
            for (int at = 0; targets[i].hasRemaining(); at += Long.BYTES) {
                targets[i].putLong(id + at / pageBytes);
            }
            id += targets[i].limit() / pageBytes;
        }
    }
}
