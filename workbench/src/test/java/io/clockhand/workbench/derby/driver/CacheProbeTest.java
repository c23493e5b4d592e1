// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.workbench.derby.Contender;
import io.clockhand.workbench.derby.tpcc.TestDatabase;
import java.util.List;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class CacheProbeTest {
    private static final int DERBYS_DEFAULT = 1000;
    private static TestDatabase database;

    @BeforeAll
    static void useDerby() throws Exception {
        database = TestDatabase.loaded();
    }

    @AfterAll
    static void drop() {
        database.close();
    }

    private static AbstractThrowableAssert<?, ?> assertRefused(String policy, List<String> jars, int pages) {
        return assertThatThrownBy(() -> new CacheProbe(new Contender("cache", policy, jars), pages));
    }

    @Test
    void otherPoolThanAskedForIsRefused() throws Exception {
        assertThat(new CacheProbe(Contender.of("derby"), DERBYS_DEFAULT).maxResidentPages())
                .isBetween(1, DERBYS_DEFAULT);
        assertRefused(null, List.of(), 60).hasMessage("a pool of 60 pages was asked for, but one of 1000 is in force");
    }

    @Test
    void otherJarsThanAskedForAreRefused() {
        assertRefused(null, List.of("/a.jar"), DERBYS_DEFAULT)
                .hasMessageStartingWith("io.clockhand.derby.ClockhandDerby of /a.jar was asked for, but that of ");
    }

    @Test
    void otherCacheThanAskedForIsRefused() {
        assertRefused("nb-gclock3", List.of(), DERBYS_DEFAULT).hasMessageContaining("Derby fell back to its own");
    }
}
