// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

/**
 * Checks the rings of {@link TwoRingGclock} while no thread changes them: each frame whose word names a cell is in that
 * cell, and no other cell has a frame.
 */
final class RingIntegrity {
    private RingIntegrity() {}

    /**
     * Checks both rings.
     *
     * @param hotFrames the number of hot frames, as counted
     * @throws IllegalStateException with the frame or the numbers that are wrong
     */
    static void check(ListedFrames frames, FrameCells hot, FrameCells cold, long hotFrames) {
        int inHot = 0;
        int inCold = 0;
        for (int frame = 0, count = frames.count(); frame < count; frame++) {
            long word = frames.word(frame);
            int cell = ListedFrames.cell(word);
            if (ListedFrames.ring(word) == ListedFrames.HOT) {
                expectFrame(hot, "hot", cell, frame);
                inHot++;
            } else if (ListedFrames.ring(word) == ListedFrames.COLD) {
                expectFrame(cold, "cold", cell, frame);
                inCold++;
            }
        }
        expectFull(hot, "hot", inHot);
        expectFull(cold, "cold", inCold);
        if (inHot != hotFrames) {
            throw new IllegalStateException(inHot + " hot frames, but " + hotFrames + " are counted");
        }
    }

    private static void expectFrame(FrameCells cells, String name, int cell, int frame) {
        int found = cell < cells.end() ? cells.frame(cell) : FrameCells.NONE;
        if (found != frame) {
            throw new IllegalStateException(
                    "the word of frame " + frame + " names " + name + " cell " + cell + ", which has " + found);
        }
    }

    private static void expectFull(FrameCells cells, String name, int frames) {
        int full = 0;
        for (int cell = 0, end = cells.end(); cell < end; cell++) {
            full += cells.frame(cell) != FrameCells.NONE ? 1 : 0;
        }
        if (full != frames) {
            throw new IllegalStateException(full + " " + name + " cells are full, of " + frames + " frames");
        }
    }
}
