// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.testing.Tier;
import io.clockhand.testkit.DiskCall.Operation;
import io.clockhand.testkit.DiskCrashedException;
import io.clockhand.testkit.DiskFault;
import io.clockhand.testkit.FaultRule;
import io.clockhand.testkit.SeededDisks;
import io.clockhand.testkit.SimulatedDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A process ends after it has written images to the journal, and before they are durable: they lie in the operating
 * system's cache only, where the next process finds them. The power fails while it copies them to the pages. Each page
 * is the old one or the new one all the same.
 */
class KilledJournalTest {
    private static final int PAGE_BYTES = 2048;
    private static final int PAGES = 4;

    @ParameterizedTest
    @EnumSource(names = {"POWER_LOSS", "FAILED_FORCE"})
    void imagesThatWereNotForcedTearNoPage(DiskFault fault) {
        SeededDisks.run(Tier.pick(100, 300, 3_000), disk -> {
            try (PageStore store = open(disk)) {
                store.writeRun(0, run(1));
                store.force();
            }
            PageStore store = open(disk);
            disk.faults()
                    .add(FaultRule.of(fault).in("journal").on(Operation.FORCE).times(1));
            assertThatThrownBy(() -> store.writeRun(0, run(2))).isInstanceOf(IOException.class);
            disk.kill();
            disk.faults().clear();
            disk.faults()
                    .add(FaultRule.of(DiskFault.POWER_LOSS)
                            .in("pages")
                            .skip(disk.seed() % 5)
                            .times(1));
            try {
                open(disk);
            } catch (IOException e) { // in the middle of the copy, or before the force
                assertThat(e).hasRootCauseInstanceOf(DiskCrashedException.class);
            }
            disk.crash();
            disk.faults().clear();
            try (PageStore recovered = open(disk)) {
                for (int page = 0; page < PAGES; page++) {
                    ByteBuffer found = ByteBuffer.allocate(PAGE_BYTES);
                    recovered.read(page, found);
                    long first = found.getLong(0);
                    assertThat(first).as("page %d", page).isBetween(1L, 2L);
                    for (int at = 0; at < PAGE_BYTES; at += Long.BYTES) {
                        assertThat(found.getLong(at))
                                .as("page %d at %d", page, at)
                                .isEqualTo(first);
                    }
                }
            }
        });
    }

    private static PageStore open(SimulatedDisk disk) throws IOException {
        return DoubleWritePageStore.open(disk.pages("pages", PAGE_BYTES), disk.pages("journal", PAGE_BYTES), 9);
    }

    private static ByteBuffer run(long value) {
        ByteBuffer run = ByteBuffer.allocate(PAGES * PAGE_BYTES);
        while (run.hasRemaining()) {
            run.putLong(value);
        }
        return run.flip();
    }
}
