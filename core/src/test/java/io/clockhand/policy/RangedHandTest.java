// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.testing.Workers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The cells that threads pass which turn one hand together. */
class RangedHandTest {
    /** Enough for ranges of the greatest length, whatever the number of processors. */
    private static final int CELLS = 4_096;

    private static final int LENGTH = 16;

    @RegisterExtension
    private final Workers workers = new Workers();

    private final FrameCells cells = new FrameCells(CELLS);
    private final RangedHand hand = new RangedHand(cells, CELLS);

    private void fill(int count) {
        for (int cell = 0; cell < count; cell++) {
            cells.put(cell, 0);
        }
    }

    /** Passes cells as one search does, and counts the visits of each. */
    private void pass(int steps, int[] visits) {
        int cell = hand.begin();
        visits[cell]++;
        for (int step = 1; step < steps; step++) {
            cell = hand.next(cell);
            visits[cell]++;
        }
        hand.end(cell);
    }

    private static void assertThatAllTurnAlike(int[] visits, int count, int revolutions) {
        for (int cell = 0; cell < count; cell++) {
            // a lane may be two ranges ahead of the others, and a revolution may have begun anew
            assertThat(visits[cell])
                    .as("visits of cell %d in %d revolutions", cell, revolutions)
                    .isBetween(revolutions - 1, revolutions + 1);
        }
    }

    @Test
    void searchBeginsBehindTheVictimOfTheLastOne() {
        fill(CELLS);
        int first = hand.begin();
        hand.end(first);

        assertThat(hand.position()).as("where the next search begins").isEqualTo(first + 1);
        for (int cell = first + 1; cell < first + LENGTH; cell++) {
            assertThat(hand.begin()).as("the first cell of a search").isEqualTo(cell);
            hand.end(cell);
        }
        assertThat(hand.begin())
                .as("the range of a search after the end of one")
                .isGreaterThanOrEqualTo(LENGTH);
    }

    @Test
    void oneThreadPassesEveryCellOnceInARevolution() {
        fill(CELLS);
        int[] visits = new int[CELLS];
        for (int search = 0; search < 5 * CELLS / 8; search++) {
            pass(8, visits);
        }
        assertThatAllTurnAlike(visits, CELLS, 5);
    }

    /** The lanes of threads that search no more are turned by the others. */
    @Test
    void cellsOfAThreadThatHasEndedArePassedByOthers() {
        fill(CELLS);
        int[] visits = new int[CELLS];
        for (int thread = 0; thread < 20; thread++) {
            workers.start(() -> {
                        pass(LENGTH, new int[CELLS]);
                        return null;
                    })
                    .result();
        }
        for (int search = 0; search < 5 * CELLS / 8; search++) {
            pass(8, visits);
        }
        assertThatAllTurnAlike(visits, CELLS, 5);
    }

    /** Of a ring that is not a multiple of ranges and lanes long, every cell is passed, and none past the end. */
    @Test
    void everyCellOfAnyNumberIsPassed() {
        fill(5);
        for (int count = 5; count < 400; count++) {
            int[] visits = new int[CELLS];
            pass(4 * (count + 8 * LENGTH), visits);
            for (int cell = 0; cell < CELLS; cell++) {
                assertThat(visits[cell] > 0)
                        .as("whether cell %d of %d was passed", cell, count)
                        .isEqualTo(cell < count);
            }
            cells.put(count, 0);
        }
    }

    @Test
    void everyCellIsPassedAfterThePoolHasChangedItsSize() {
        fill(CELLS);
        pass(CELLS / 2, new int[CELLS]);
        for (int frames : new int[] {CELLS / 8, 16, 1, CELLS}) {
            hand.setFrames(frames);
            int[] visits = new int[CELLS];
            pass(3 * CELLS, visits);
            for (int cell = 0; cell < CELLS; cell++) {
                assertThat(visits[cell])
                        .as("visits of cell %d when ranges are for %d frames", cell, frames)
                        .isBetween(1, 5);
            }
        }
    }
}
