// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import io.clockhand.NoSuchPageException;
import java.io.IOException;
import java.io.UncheckedIOException;

/** A page that is created by one thread, and changed by another as soon as it exists. */
class CreatedPage extends GrowingFile {
    /** Creates the page. */
    void create() {
        try {
            pool.unpin(new NewPage().create());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Changes the page; {@return whether it existed} */
    final String change() {
        try {
            int frame = pool.pin(idOf(0));
            fill(frame, 1);
            pool.unpin(frame);
            return "changed";
        } catch (NoSuchPageException e) {
            return "none";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@return what the page holds now} */
    final String end() {
        return TwoFrames.check(pool, TwoFrames.read(pool, idOf(0), word -> word == 1 ? "changed" : "zero"));
    }
}
