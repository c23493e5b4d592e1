// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import io.clockhand.LatchMode;
import java.io.IOException;

/** A guard in any mode, for tests that run in each. Reusable; allocates nothing then. */
final class AnyGuard implements AutoCloseable {
    private final PageGuard guard;
    private final WritablePage writable;
    private boolean exclusive;

    AnyGuard(BufferPool pool) {
        guard = pool.newGuard();
        writable = pool.newWritablePage();
    }

    static AnyGuard fix(BufferPool pool, long id, LatchMode mode) throws IOException {
        return new AnyGuard(pool).fix(id, mode);
    }

    AnyGuard fix(long id, LatchMode mode) throws IOException {
        switch (mode) {
            case SHARED -> guard.fix(id);
            case UPDATE -> guard.fixForUpdate(id);
            case EXCLUSIVE -> writable.fix(id);
        }
        exclusive = mode == LatchMode.EXCLUSIVE;
        return this;
    }

    boolean tryFix(long id, LatchMode mode) {
        exclusive = mode == LatchMode.EXCLUSIVE;
        return switch (mode) {
            case SHARED -> guard.tryFix(id);
            case UPDATE -> guard.tryFixForUpdate(id);
            case EXCLUSIVE -> writable.tryFix(id);
        };
    }

    PageView view() {
        return exclusive ? writable : guard;
    }

    @Override
    public void close() {
        if (exclusive) {
            writable.close();
        } else {
            guard.close();
        }
    }
}
