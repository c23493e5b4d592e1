// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.workbench.tpcc.load.TestDatabase;
import org.junit.jupiter.api.Test;

class CacheProbeTest {
    private static final int DERBYS_DEFAULT = 1000;

    @Test
    void otherPoolThanAskedForIsRefused() throws Exception {
        try (TestDatabase database = TestDatabase.loaded()) {
            assertThat(database.number("SELECT COUNT(*) FROM item")).isPositive();
            assertThat(CacheProbe.of(null, DERBYS_DEFAULT).residentPages()).isBetween(1, DERBYS_DEFAULT);

            assertThatThrownBy(() -> CacheProbe.of(null, 60))
                    .hasMessage("a pool of 60 pages was asked for, but one of 1000 is in force");
        }
    }

    @Test
    void otherCacheThanAskedForIsRefused() throws Exception {
        try (TestDatabase database = TestDatabase.loaded()) {
            assertThat(database.number("SELECT COUNT(*) FROM item")).isPositive();

            assertThatThrownBy(() -> CacheProbe.of("nb-gclock3", DERBYS_DEFAULT))
                    .hasMessageContaining("Derby fell back to its own");
        }
    }
}
