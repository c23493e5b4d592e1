// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.testkit.SeededDisks;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests that run with many simulated disks. */
class SeededDisksTest {
    @Test
    void everySeedIsUsedOnce() {
        List<Long> seeds = new ArrayList<>();
        SeededDisks.run(5, disk -> seeds.add(disk.seed()));
        assertThat(seeds).containsExactly(0L, 1L, 2L, 3L, 4L);
    }

    @Test
    void failureNamesTheSeedAndPrintsTheDisk() {
        IOException cause = new IOException("the record is lost");
        assertThatThrownBy(() -> SeededDisks.run(100, disk -> {
                    disk.file("log");
                    disk.crash();
                    if (disk.seed() == 7) {
                        throw cause;
                    }
                }))
                .isInstanceOf(AssertionError.class)
                .hasCause(cause)
                .hasMessageContaining("fails with seed 7 (repeat with -Dclockhand.disk.seed=7): the record is lost")
                .hasMessageContaining("simulated disk with seed 7 and sectors of 512 bytes, in boot 2")
                .hasMessageContaining("crash in boot 1, log: 0 writes survived, 0 in part, 0 not, 0 bytes of 0");
    }

    @Test
    void propertyChoosesTheOnlySeed() {
        List<Long> seeds = new ArrayList<>();
        System.setProperty(SeededDisks.SEED_PROPERTY, "17");
        try {
            SeededDisks.run(5, disk -> seeds.add(disk.seed()));
        } finally {
            System.clearProperty(SeededDisks.SEED_PROPERTY);
        }
        assertThat(seeds).containsExactly(17L);
    }
}
