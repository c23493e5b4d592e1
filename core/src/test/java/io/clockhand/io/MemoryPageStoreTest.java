// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.io;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.testkit.PageStoreContract;
import org.junit.jupiter.api.Test;

/** The contract of a store, on the heap. */
class MemoryPageStoreTest extends PageStoreContract {
    @Override
    protected PageStore open() {
        return new MemoryPageStore("memory", pageBytes());
    }

    @Override
    protected boolean isPersistent() {
        return false;
    }

    @Test
    void wrongPageSizeIsRefused() {
        assertThatThrownBy(() -> new MemoryPageStore("memory", 1000))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("1000 bytes");
    }
}
