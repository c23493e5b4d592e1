// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import io.clockhand.LatchMode;
import java.io.IOException;

/** A guard in any mode, for tests that run in each. Reusable; allocates nothing then. */
final class AnyGuard implements AutoCloseable {
    private final PageGuard guard;
    private final WritablePage writable;
    private final SharedUpdatePage rows;
    private LatchMode fixed = LatchMode.SHARED;

    AnyGuard(BufferPool pool) {
        guard = pool.newGuard();
        writable = pool.newWritablePage();
        rows = pool.newSharedUpdatePage();
    }

    static AnyGuard fix(BufferPool pool, long id, LatchMode mode) throws IOException {
        return new AnyGuard(pool).fix(id, mode);
    }

    AnyGuard fix(long id, LatchMode mode) throws IOException {
        switch (mode) {
            case SHARED -> guard.fix(id);
            case SHARED_UPDATE -> rows.fix(id);
            case UPGRADABLE -> guard.fixUpgradable(id);
            case EXCLUSIVE -> writable.fix(id);
        }
        fixed = mode;
        return this;
    }

    boolean tryFix(long id, LatchMode mode) {
        fixed = mode;
        return switch (mode) {
            case SHARED -> guard.tryFix(id);
            case SHARED_UPDATE -> rows.tryFix(id);
            case UPGRADABLE -> guard.tryFixUpgradable(id);
            case EXCLUSIVE -> writable.tryFix(id);
        };
    }

    PageView view() {
        return switch (fixed) {
            case SHARED, UPGRADABLE -> guard;
            case SHARED_UPDATE -> rows;
            case EXCLUSIVE -> writable;
        };
    }

    @Override
    public void close() {
        switch (fixed) {
            case SHARED, UPGRADABLE -> guard.close();
            case SHARED_UPDATE -> rows.close();
            case EXCLUSIVE -> writable.close();
        }
    }
}
