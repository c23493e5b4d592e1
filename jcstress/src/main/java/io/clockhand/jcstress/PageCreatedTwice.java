// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import io.clockhand.NoSuchPageException;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * A page that is created by a thread that waits for an earlier creation, without a pin, as {@code PageCreator} does;
 * meanwhile another thread truncates the file, and creates the page anew.
 */
class PageCreatedTwice extends GrowingFile {
    private long pageOfOther;

    /** {@return whether the page that this thread has created is still there, and so was filled by it} */
    final String create() {
        try {
            NewPage created = new NewPage();
            pool.unpin(created.create());
            file.awaitExists(created.page);
            int frame = pool.pin(idOf(created.page));
            boolean own = isOwn(created);
            if (own) {
                fill(frame, 1);
            }
            pool.unpin(frame);
            return own ? "own" : "truncated";
        } catch (NoSuchPageException e) {
            return "truncated";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Tests whether the page that the thread has pinned is the one that it has created. */
    boolean isOwn(NewPage created) {
        return file.truncations() == created.truncations;
    }

    /** Truncates the file, then creates a page and fills it. */
    final void truncateAndCreate() {
        try {
            files.truncate(file, 0, pool::invalidate);
            NewPage created = new NewPage();
            int frame = created.create();
            fill(frame, 2);
            pool.unpin(frame);
            pageOfOther = created.page;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@return whether the page of the thread that truncates holds what it has written} */
    final String end() {
        return TwoFrames.check(pool, TwoFrames.read(pool, idOf(pageOfOther), word -> word == 2 ? "kept" : "lost"));
    }
}
