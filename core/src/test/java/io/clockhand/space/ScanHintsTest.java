// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.space;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Searches of a map page, changes of its rows meanwhile, and the hints that they leave to later searches. */
class ScanHintsTest {
    private static final int ROOM = ScanHints.room(Fullness.UNDER_80);

    private final ScanHints hints = new ScanHints();

    @BeforeEach
    void makeRoom() {
        hints.ensure(3);
    }

    private void searchInVain(long page, int kind) {
        assertThat(hints.begin(page, kind)).isTrue();
        hints.end(page, kind, true);
        assertThat(hints.isNothing(page, kind)).isTrue();
    }

    @Test
    void searchInVainSparesLaterOnesOfItsKind() {
        assertThat(hints.isNothing(1, ROOM)).isFalse();
        searchInVain(1, ROOM);
        assertThat(hints.isNothing(1, ScanHints.FREE)).isFalse();
        assertThat(hints.isNothing(1, ScanHints.room(Fullness.UNDER_50))).isFalse();
        assertThat(hints.isNothing(0, ROOM)).isFalse();
        assertThat(hints.isNothing(2, ROOM)).isFalse();
    }

    @Test
    void changeDuringASearchIsFoundByTheNext() {
        hints.begin(1, ROOM);
        hints.open(1, false, Fullness.UNDER_80);
        hints.end(1, ROOM, true);
        assertThat(hints.isNothing(1, ROOM))
                .as("nothing is found though a row has changed during the search")
                .isFalse();
    }

    @Test
    void searchThatFindsARowOrFailsLeavesThePageOpen() {
        hints.begin(1, ROOM);
        assertThat(hints.isNothing(1, ROOM)).isFalse();
        assertThat(hints.begin(1, ROOM))
                .as("a second search begins while one scans")
                .isFalse();
        hints.end(1, ROOM, false);
        assertThat(hints.begin(1, ROOM))
                .as("a search begins after one that has found a row")
                .isTrue();
    }

    @Test
    void changeIsFoundBySearchesForSoMuchRoomOnly() {
        for (Fullness fullness : Fullness.values()) {
            searchInVain(0, ScanHints.room(fullness));
        }
        searchInVain(0, ScanHints.FREE);

        hints.open(0, false, Fullness.UNDER_80);

        assertThat(hints.isNothing(0, ScanHints.FREE)).isTrue();
        for (Fullness fullness : Fullness.values()) {
            assertThat(hints.isNothing(0, ScanHints.room(fullness)))
                    .as("nothing that is at most %s", fullness)
                    .isEqualTo(fullness.compareTo(Fullness.UNDER_80) < 0);
        }
        hints.open(0, true, Fullness.EMPTY);
        assertThat(hints.isNothing(0, ScanHints.FREE)).isFalse();
    }

    @Test
    void hintsStayWhenTheMapGrows() {
        searchInVain(2, ROOM);
        hints.ensure(1_000);
        assertThat(hints.isNothing(2, ROOM))
                .as("the hint of a page that was there before")
                .isTrue();
        searchInVain(999, ROOM);
        searchInVain(256, ROOM);
        assertThat(hints.isNothing(255, ROOM)).isFalse();
        assertThat(hints.isNothing(0, ROOM)).isFalse();
    }
}
