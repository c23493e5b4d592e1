// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.io;

import static io.clockhand.io.FilledPages.PAGE_BYTES;
import static io.clockhand.io.FilledPages.SECTORS;
import static io.clockhand.io.FilledPages.append;
import static io.clockhand.io.FilledPages.bytes;
import static io.clockhand.io.FilledPages.filled;
import static io.clockhand.io.FilledPages.sectors;
import static io.clockhand.io.FilledPages.value;
import static io.clockhand.io.FilledPages.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.testing.Tier;
import io.clockhand.testkit.DiskFault;
import io.clockhand.testkit.FaultRule;
import io.clockhand.testkit.SeededDisks;
import io.clockhand.testkit.SimulatedDisk;
import io.clockhand.testkit.SimulatedFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Files of a simulated disk after a crash: what must survive, and which outcomes there are over many seeds. */
class SimulatedCrashTest {
    private static final int SEEDS = Tier.pick(80, 1_000, 20_000);

    private enum Fate {
        WHOLE,
        TORN,
        LOST
    }

    private static PageStore pages(SimulatedDisk disk) throws IOException {
        return disk.pages("pages", PAGE_BYTES);
    }

    private static PageStore crash(SimulatedDisk disk) throws IOException {
        disk.crash();
        return pages(disk);
    }

    // --- writes ------------------------------------------------------------------------------------------------------

    @Test
    void forcedWriteSurvives() {
        SeededDisks.run(SEEDS, disk -> {
            PageStore store = pages(disk);
            write(store, 0, 1);
            write(store, 2, 3);
            store.force();
            store = crash(disk);

            assertThat(store.pages()).isEqualTo(3);
            assertThat(value(store, 0)).isEqualTo(1);
            assertThat(value(store, 1)).isZero();
            assertThat(value(store, 2)).isEqualTo(3);
        });
    }

    @Test
    void unforcedWriteSurvivesWhollyInPartOrNotAtAll() {
        Set<Fate> seen = EnumSet.noneOf(Fate.class);
        SeededDisks.run(SEEDS, disk -> {
            PageStore store = pages(disk);
            write(store, 0, 1);
            store.force();
            write(store, 0, 2);

            int[] sectors = sectors(crash(disk), 0);
            assertThat(Arrays.stream(sectors).allMatch(value -> value == 1 || value == 2))
                    .as("each sector is old or new")
                    .isTrue();
            long written = Arrays.stream(sectors).filter(value -> value == 2).count();
            seen.add(written == 0 ? Fate.LOST : written == SECTORS ? Fate.WHOLE : Fate.TORN);
        });
        assertThat(seen).containsExactlyInAnyOrder(Fate.values());
    }

    @Test
    void laterWriteMaySurviveThoughAnEarlierOneDoesNot() {
        Set<String> seen = new HashSet<>();
        SeededDisks.run(SEEDS, disk -> {
            PageStore store = pages(disk);
            write(store, 1, 0);
            store.force();
            write(store, 0, 1);
            write(store, 1, 1);

            store = crash(disk);
            seen.add(sectors(store, 0)[0] + ", " + sectors(store, 1)[0]);
        });
        assertThat(seen).containsExactlyInAnyOrder("0, 0", "0, 1", "1, 0", "1, 1");
    }

    @Test
    void eachVersionOfASectorSinceTheForceMaySurvive() {
        Set<Integer> seen = new HashSet<>();
        SeededDisks.run(SEEDS, disk -> {
            PageStore store = pages(disk);
            write(store, 0, 1);
            store.force();
            write(store, 0, 2);
            write(store, 0, 3);
            seen.add(sectors(crash(disk), 0)[0]);
        });
        assertThat(seen).containsExactlyInAnyOrder(1, 2, 3);
    }

    @Test
    void bytesOfASectorSurviveOnlyTogetherWithEarlierOnes() {
        SeededDisks.run(SEEDS, disk -> {
            SimulatedFile log = disk.file("log");
            for (int record = 1; record <= 4; record++) {
                append(log, 100, record);
            }
            disk.crash();
            byte[] survived = bytes(disk.file("log"));
            for (int at = 1; at < survived.length; at++) {
                boolean isLater = survived[at] != 0;
                assertThat(isLater && survived[at - 1] == 0)
                        .as("a gap before byte %d", at)
                        .isFalse();
            }
        });
    }

    @Test
    void forceOfOneFileDoesNotForceAnother() {
        Set<Integer> seen = new HashSet<>();
        SeededDisks.run(SEEDS, disk -> {
            PageStore store = pages(disk);
            write(store, 0, 1);
            store.force();
            write(store, 0, 2);
            SimulatedFile log = disk.file("log");
            append(log, 10, 1);
            log.force();

            seen.add(sectors(crash(disk), 0)[0]);
            assertThat(bytes(disk.file("log"))).hasSize(10).containsOnly(1);
        });
        assertThat(seen).containsExactlyInAnyOrder(1, 2);
    }

    @Test
    void oldestOfVeryManyUnforcedWritesReachesTheDevice() throws IOException {
        int seeds = Tier.pick(3, 10, 100);
        for (int seed = 0; seed < seeds; seed++) {
            SimulatedDisk disk = new SimulatedDisk(seed);
            PageStore store = pages(disk);
            write(store, 0, 1);
            for (int i = 0; i < 5_000; i++) {
                write(store, 1, 2);
            }
            assertThat(value(crash(disk), 0)).isEqualTo(1);
        }
    }

    // --- lengths -----------------------------------------------------------------------------------------------------

    @Test
    void lengthSurvivesWithOrWithoutItsBytesOrNotAtAll() {
        Set<String> seen = new HashSet<>();
        SeededDisks.run(SEEDS, disk -> {
            write(pages(disk), 0, 1);
            PageStore store = crash(disk);
            if (store.pages() == 0) {
                seen.add("not at all");
            } else {
                seen.add(sectors(store, 0)[0] == 1 ? "with bytes" : "without bytes");
            }
        });
        assertThat(seen).containsExactlyInAnyOrder("not at all", "with bytes", "without bytes");
    }

    @Test
    void bytesThatSurviveWithoutTheLengthAreNotInTheFileWhenItGrowsAgain() {
        SeededDisks.run(SEEDS, disk -> {
            write(pages(disk), 0, 1);
            write(pages(disk), 1, 1);
            PageStore store = crash(disk);
            long survived = store.pages();
            write(store, 5, 2);
            for (long page = survived; page < 5; page++) {
                assertThat(value(store, page)).isZero();
            }
        });
    }

    @Test
    void eachLengthSinceTheForceMaySurvive() {
        Set<Long> seen = new HashSet<>();
        SeededDisks.run(SEEDS, disk -> {
            SimulatedFile log = disk.file("log");
            for (int record = 1; record <= 3; record++) {
                append(log, 10, record);
            }
            disk.crash();
            seen.add(disk.file("log").size());
        });
        assertThat(seen).containsExactlyInAnyOrder(0L, 10L, 20L, 30L);
    }

    @Test
    void unforcedTruncationMaySurvive() {
        Set<Long> seen = new HashSet<>();
        SeededDisks.run(SEEDS, disk -> {
            PageStore store = pages(disk);
            write(store, 0, 1);
            write(store, 1, 1);
            store.force();
            store.truncate(1);

            store = crash(disk);
            seen.add(store.pages());
            for (long page = 0; page < store.pages(); page++) {
                assertThat(value(store, page)).isEqualTo(1);
            }
        });
        assertThat(seen).containsExactlyInAnyOrder(1L, 2L);
    }

    @Test
    void forcedTruncationSurvives() {
        SeededDisks.run(SEEDS, disk -> {
            SimulatedFile file = disk.file("log");
            append(file, 1_000, 1);
            file.force();
            file.truncate(600);
            file.force();
            disk.crash();
            file = disk.file("log");
            assertThat(bytes(file)).hasSize(600).containsOnly(1);

            file.write(700, filled(1, 1));
            byte[] grown = bytes(file);
            assertThat(Arrays.copyOfRange(grown, 600, 700)).containsOnly(0);
        });
    }

    @Test
    void creationAndDeletionSurvive() throws IOException {
        SimulatedDisk disk = new SimulatedDisk(1);
        SimulatedFile first = disk.file("first");
        append(first, 10, 1);
        first.force();
        disk.file("second").close();
        first.delete();
        assertThatThrownBy(first::delete).hasMessageContaining("cannot delete first");
        disk.crash();

        assertThat(disk.fileNames()).containsExactly("second");
        assertThat(disk.file("first").size()).isZero();
        assertThat(disk.usedBytes()).isZero();
    }

    // --- names -------------------------------------------------------------------------------------------------------

    @Test
    void namesSurviveAtOnceUnlessTheTestSaysOtherwise() {
        SeededDisks.run(SEEDS, disk -> {
            disk.file("created");
            disk.pages("deleted", PAGE_BYTES).delete();
            disk.crash();
            assertThat(disk.fileNames()).containsExactly("created");
        });
    }

    @Test
    void nameThatWasNotForcedIsAsItWasOrAsItIs() {
        Set<String> seen = new HashSet<>();
        SeededDisks.run(SEEDS, disk -> {
            PageStore deleted = pages(disk);
            write(deleted, 0, 1);
            deleted.force();
            disk.setNamesSurvive(false);
            deleted.delete();
            PageStore created = disk.pages("created", PAGE_BYTES);
            write(created, 0, 2);
            created.force();
            disk.kill();
            assertThat(disk.fileNames()).as("files after a kill").containsExactly("created");

            disk.crash();
            seen.add(disk.fileNames().toString());
            if (disk.fileNames().contains("pages")) {
                assertThat(value(pages(disk), 0))
                        .as("the page of a file that is back")
                        .isEqualTo(1);
            }
            assertThat(disk.usedBytes())
                    .as("space")
                    .isEqualTo((long) disk.fileNames().size() * PAGE_BYTES);
        });
        assertThat(seen).containsExactlyInAnyOrder("[]", "[created]", "[pages]", "[created, pages]");
    }

    @Test
    void forcedNamesSurvive() {
        SeededDisks.run(SEEDS, disk -> {
            disk.setNamesSurvive(false);
            pages(disk);
            disk.forceNames();
            pages(disk).delete();
            disk.file("created");
            disk.forceNames();
            disk.crash();
            assertThat(disk.fileNames()).containsExactly("created");
        });
    }

    @Test
    void forceOfTheNamesMeetsFaults() {
        Set<Boolean> survived = new HashSet<>();
        SeededDisks.run(SEEDS, disk -> {
            disk.setNamesSurvive(false);
            disk.file("created");
            DiskFault fault = disk.seed() % 2 == 0 ? DiskFault.FAILED_FORCE : DiskFault.POWER_LOSS;
            disk.faults().add(FaultRule.of(fault).in(SimulatedDisk.DIRECTORY).times(1));
            assertThatThrownBy(disk::forceNames)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("cannot force the directory");
            disk.crash();
            survived.add(!disk.fileNames().isEmpty());
        });
        assertThat(survived).containsExactlyInAnyOrder(true, false);
    }

    // --- seeds -------------------------------------------------------------------------------------------------------

    @Test
    void sameSeedHasTheSameOutcomeAndOtherSeedsHaveOthers() throws IOException {
        List<String> first = new ArrayList<>();
        List<String> second = new ArrayList<>();
        for (int seed = 0; seed < 20; seed++) {
            first.add(outcome(seed));
            second.add(outcome(seed));
        }
        assertThat(second).isEqualTo(first);
        assertThat(new HashSet<>(first)).hasSizeGreaterThan(10);
    }

    /** {@return what three crashes have left of ten pages, and what the disk prints} */
    private static String outcome(long seed) throws IOException {
        SimulatedDisk disk = new SimulatedDisk(seed);
        disk.faults().add(FaultRule.of(DiskFault.TORN_WRITE).chance(0.2));
        StringBuilder outcome = new StringBuilder();
        for (int boot = 1; boot <= 3; boot++) {
            PageStore store = pages(disk);
            for (long page = 0; page < 10; page++) {
                try {
                    write(store, page, boot);
                } catch (IOException e) {
                    outcome.append(e.getMessage());
                }
            }
            store = crash(disk);
            for (long page = 0; page < store.pages(); page++) {
                outcome.append(Arrays.toString(sectors(store, page)));
            }
        }
        return outcome.append(disk.toString().replace("seed " + seed, "seed"))
                .toString()
                .replace("seed " + seed, "");
    }
}
