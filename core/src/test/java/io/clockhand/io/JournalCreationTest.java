// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.testing.Tier;
import io.clockhand.testkit.DiskFault;
import io.clockhand.testkit.FaultRule;
import io.clockhand.testkit.SimulatedDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The power fails while a journal is made: it is made again. A file that is not a journal is not taken for one. */
class JournalCreationTest {
    private static final int PAGE_BYTES = 1024;
    private static final int JOURNAL_PAGES = 6;
    private static final int SEEDS = Tier.pick(15, 100, 2_000);
    /** More than the calls by which a journal is made. */
    private static final int STEPS = 16;
    /** Number of the page size in a header: that of a journal, behind the magic. */
    private static final int MARK_BYTES = Long.BYTES + Integer.BYTES;

    private static PageStore open(SimulatedDisk disk) throws IOException {
        return DoubleWritePageStore.open(
                disk.pages("pages", PAGE_BYTES), disk.pages("journal", PAGE_BYTES), JOURNAL_PAGES);
    }

    private static ByteBuffer page(long value) {
        ByteBuffer page = ByteBuffer.allocate(PAGE_BYTES);
        while (page.hasRemaining()) {
            page.putLong(value);
        }
        return page.flip();
    }

    private static void assertHolds(PageStore store, long page, long value) throws IOException {
        ByteBuffer found = ByteBuffer.allocate(PAGE_BYTES);
        store.read(page, found);
        assertThat(found.flip()).as("page %d", page).isEqualTo(page(value));
    }

    /** {@return whether the power failed while the store was opened, or before its first page was written} */
    private static boolean losesPowerAt(SimulatedDisk disk, int step) {
        disk.faults().add(FaultRule.of(DiskFault.POWER_LOSS).in("journal").skip(step));
        boolean lost = false;
        try {
            open(disk).write(0, page(7));
        } catch (IOException e) {
            lost = true;
        }
        disk.faults().clear();
        disk.crash();
        return lost;
    }

    @ParameterizedTest
    @ValueSource(ints = {16, 128, 512})
    void journalIsMadeAgainWhereverThePowerFailed(int sectorBytes) throws IOException {
        int lost = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            for (int step = 0; step < STEPS; step++) {
                SimulatedDisk disk = new SimulatedDisk(seed, sectorBytes);
                lost += losesPowerAt(disk, step) ? 1 : 0;
                assertWorks(disk);
            }
        }
        assertThat(lost).as("journals that were not complete").isGreaterThan(5 * SEEDS);
    }

    @ParameterizedTest
    @ValueSource(ints = {16, 128, 512})
    void journalIsMadeAgainAfterThePowerFailedManyTimes(int sectorBytes) throws IOException {
        for (int seed = 0; seed < 3 * SEEDS; seed++) {
            SimulatedDisk disk = new SimulatedDisk(seed, sectorBytes);
            SplittableRandom random = new SplittableRandom(seed);
            for (int crash = 0; crash < 5; crash++) {
                losesPowerAt(disk, random.nextInt(STEPS));
            }
            assertWorks(disk);
        }
    }

    /** The rest of the first page was once written behind a header, which was damaged later. */
    @ParameterizedTest
    @ValueSource(ints = {16, 128, 512})
    void bytesBehindADamagedHeaderAreNotLeftBehindTheNextOne(int sectorBytes) throws IOException {
        for (int seed = 0; seed < SEEDS; seed++) {
            for (int step = 0; step < STEPS; step++) {
                SimulatedDisk disk = new SimulatedDisk(seed, sectorBytes);
                open(disk).close();
                damageHeader(disk);
                losesPowerAt(disk, step);
                assertWorks(disk);
            }
        }
    }

    private static void damageHeader(SimulatedDisk disk) throws IOException {
        PageStore journal = disk.pages("journal", PAGE_BYTES);
        ByteBuffer header = ByteBuffer.allocate(PAGE_BYTES);
        journal.read(0, header);
        header.position(MARK_BYTES);
        while (header.hasRemaining()) {
            header.put((byte) 0x55);
        }
        journal.write(0, header.flip());
        journal.force();
    }

    /** Opens the store, and checks that its journal restores a page of which all was lost. */
    private static void assertWorks(SimulatedDisk disk) throws IOException {
        PageStore store = open(disk);
        store.write(0, page(1));
        store.write(0, page(2));
        disk.crash();
        try (PageStore again = open(disk)) {
            assertHolds(again, 0, 2);
        }
    }

    /** Of the pages and the value of one of them: a file of pages may begin with pages that were never written. */
    @ParameterizedTest
    @CsvSource({"0, 1", "0, 256", "1, 1", "5, 1", "5, 0x436c6f636b446f75"})
    void fileThatIsNotAJournalIsRefusedAndStays(int written, String value) throws IOException {
        SimulatedDisk disk = new SimulatedDisk(1);
        PageStore pages = disk.pages("journal", PAGE_BYTES);
        pages.extend(JOURNAL_PAGES);
        pages.write(written, page(Long.decode(value)));

        assertThatThrownBy(() -> open(disk))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("journal is not a journal of pages of 1024 bytes");

        assertThat(pages.pages()).isEqualTo(JOURNAL_PAGES);
        assertHolds(pages, written, Long.decode(value));
    }

    @Test
    void journalOfOtherPagesIsRefused() throws IOException {
        SimulatedDisk disk = new SimulatedDisk(1);
        DoubleWritePageStore.open(disk.pages("other", 2048), disk.pages("journal", 2048), JOURNAL_PAGES)
                .close();

        assertThatThrownBy(() -> open(disk)).hasMessageContaining("is not a journal of pages of 1024 bytes");
    }
}
