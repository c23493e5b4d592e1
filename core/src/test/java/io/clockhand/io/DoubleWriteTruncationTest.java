// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.testing.Tier;
import io.clockhand.testkit.SeededDisks;
import io.clockhand.testkit.SimulatedDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A double-write store whose truncation was lost in a crash, on a disk that has kept later writes. */
class DoubleWriteTruncationTest {
    private static final int PAGE_BYTES = 2048;
    private static final int PAGES = 4;

    private static PageStore open(SimulatedDisk disk) throws IOException {
        return DoubleWritePageStore.open(disk.pages("pages", PAGE_BYTES), disk.pages("journal", PAGE_BYTES), 40);
    }

    private static ByteBuffer pages(int count, long value) {
        ByteBuffer run = ByteBuffer.allocate(count * PAGE_BYTES);
        while (run.hasRemaining()) {
            run.putLong(value);
        }
        return run.flip();
    }

    /** The zeros of the new pages are not in the journal. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void pageThatWasTruncatedAndExtendedIsNotTorn(boolean truncatesAgain) {
        SeededDisks.run(Tier.pick(100, 300, 10_000), disk -> {
            PageStore store = open(disk);
            store.writeRun(0, pages(PAGES, 1));
            store.force();
            store.truncate(1);
            store.extend(PAGES);
            if (truncatesAgain) {
                store.truncate(1);
            }
            disk.crash();

            PageStore again = open(disk);
            assertThat(again.pages()).isBetween(1L, (long) PAGES);
            for (long page = 0; page < again.pages(); page++) {
                ByteBuffer found = ByteBuffer.allocate(PAGE_BYTES);
                again.read(page, found);
                assertThat(found.flip()).as("page %d", page).isIn(pages(1, 0), pages(1, 1));
            }
        });
    }
}
