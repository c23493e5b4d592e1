// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The cells of a ring: which of them a frame gets, and where the hand goes. */
class FrameCellsTest {
    private static final int FRAMES = 8;
    /** Two for each frame, and sixteen more. */
    private static final int CELLS = 2 * FRAMES + 16;

    private static FrameCells full() {
        FrameCells cells = new FrameCells(FRAMES);
        for (int cell = 0; cell < CELLS; cell++) {
            assertThat(cells.put(cell, 0)).as("the cell of frame %d", cell).isEqualTo(cell);
        }
        return cells;
    }

    @Test
    void frameGetsTheNearestEmptyCellBehindTheHand() {
        FrameCells cells = full();
        cells.clear(3);
        cells.clear(5);
        cells.clear(6);

        assertThat(cells.put(100, 6)).as("the cell nearest behind cell 6").isEqualTo(5);
        assertThat(cells.put(101, 6)).as("the next one").isEqualTo(3);
        assertThat(cells.put(102, 6))
                .as("the hand's own cell, when there is no other")
                .isEqualTo(6);
        assertThat(cells.put(103, 6)).as("a cell of a full ring").isEqualTo(FrameCells.NONE);
    }

    @Test
    void cellsBehindTheFirstOneAreTheLastOnes() {
        FrameCells cells = full();
        cells.clear(CELLS - 1);

        assertThat(cells.put(100, 0)).isEqualTo(CELLS - 1);
    }

    /** Wherever the last search for a cell ended, and wherever the hand is. */
    @Test
    void onlyEmptyCellOfAFullRingIsFound() {
        for (int last = 0; last < CELLS; last++) {
            for (int empty = 0; empty < CELLS; empty++) {
                for (int hand = 0; hand < CELLS; hand += 5) {
                    FrameCells cells = full();
                    cells.clear(last);
                    cells.put(100, last + CELLS / 2 < CELLS ? last + CELLS / 2 : last - CELLS / 2);
                    cells.clear(empty);

                    assertThat(cells.put(101, hand))
                            .as("the only empty cell, hand at %d, last search ended at %d", hand, last)
                            .isEqualTo(empty);
                    assertThat(cells.frame(empty)).isEqualTo(101);
                }
            }
        }
    }

    @Test
    void ringGrowsOnlyWhenNoCellBehindTheHandIsEmpty() {
        FrameCells cells = new FrameCells(FRAMES);
        for (int frame = 0; frame < 10; frame++) {
            cells.put(frame, 0);
        }
        cells.clear(4);

        assertThat(cells.put(100, 5)).isEqualTo(4);
        assertThat(cells.end()).as("cells in use").isEqualTo(10);
        assertThat(cells.put(101, 5)).isEqualTo(10);
        assertThat(cells.end()).as("cells in use").isEqualTo(11);
    }

    @Test
    void addedFramesHaveCellsInLaterArrays() {
        FrameCells cells = full();
        cells.ensureFrames(1_000);

        for (int cell = CELLS; cell < 2_016; cell++) {
            assertThat(cells.put(cell, 0)).isEqualTo(cell);
        }
        for (int cell = 0; cell < 2_016; cell++) {
            assertThat(cells.frame(cell)).as("the frame in cell %d", cell).isEqualTo(cell);
        }
    }

    @Test
    void handGoesFromTheLastCellToTheFirst() {
        FrameCells cells = new FrameCells(FRAMES);
        for (int frame = 0; frame < 3; frame++) {
            cells.put(frame, 0);
        }

        assertThat(cells.tryAdvance(0, 2)).isTrue();
        assertThat(cells.hand()).isEqualTo(2);
        assertThat(cells.tryAdvance(0, 1))
                .as("from a cell where the hand is no more")
                .isFalse();
        assertThat(cells.tryAdvance(2, 3)).isTrue();
        assertThat(cells.hand()).as("the hand behind the last of three cells").isZero();
    }

    @Test
    void markedFrameStaysInItsCellUntilTheMarkIsTakenOff() {
        FrameCells cells = new FrameCells(FRAMES);
        cells.put(7, 0);

        assertThat(cells.tryMark(0, 6)).as("a frame that is not there").isFalse();
        assertThat(cells.tryMark(0, 7)).isTrue();
        assertThat(cells.tryMark(0, 7)).as("a frame that is marked").isFalse();
        assertThat(cells.unmarked(0)).isEqualTo(FrameCells.NONE);
        assertThat(cells.frame(0)).isEqualTo(7);
        cells.unmark(0, 6);
        assertThat(cells.unmarked(0))
                .as("after another frame's mark was taken off")
                .isEqualTo(FrameCells.NONE);
        cells.unmark(0, 7);
        assertThat(cells.unmarked(0)).isEqualTo(7);
    }
}
