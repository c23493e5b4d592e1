// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.workbench.derby.driver.CacheProbe.RequiredCache;
import io.clockhand.workbench.derby.tpcc.TestDatabase;
import java.util.List;
import org.junit.jupiter.api.Test;

class CacheProbeTest {
    private static final int DERBYS_DEFAULT = 1000;

    @Test
    void otherPoolThanAskedForIsRefused() throws Exception {
        try (TestDatabase database = TestDatabase.loaded()) {
            assertThat(database.number("SELECT COUNT(*) FROM item")).isPositive();
            assertThat(CacheProbe.of(new RequiredCache(null, DERBYS_DEFAULT)).residentPages())
                    .isBetween(1, DERBYS_DEFAULT);

            assertThatThrownBy(() -> CacheProbe.of(new RequiredCache(null, 60)))
                    .hasMessage("a pool of 60 pages was asked for, but one of 1000 is in force");
        }
    }

    @Test
    void otherJarsThanAskedForAreRefused() throws Exception {
        try (TestDatabase database = TestDatabase.loaded()) {
            assertThat(database.number("SELECT COUNT(*) FROM item")).isPositive();

            assertThatThrownBy(() -> CacheProbe.of(new RequiredCache(null, List.of("/a.jar"), DERBYS_DEFAULT)))
                    .hasMessageStartingWith("io.clockhand.derby.ClockhandDerby of /a.jar was asked for, but that of ");
        }
    }

    @Test
    void otherCacheThanAskedForIsRefused() throws Exception {
        try (TestDatabase database = TestDatabase.loaded()) {
            assertThat(database.number("SELECT COUNT(*) FROM item")).isPositive();

            assertThatThrownBy(() -> CacheProbe.of(new RequiredCache("nb-gclock3", DERBYS_DEFAULT)))
                    .hasMessageContaining("Derby fell back to its own");
        }
    }
}
