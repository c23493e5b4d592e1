// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.testing.Tier;
import org.jetbrains.lincheck.Lincheck;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two threads that put frames into cells and clear some, in every interleaving of a few steps: no cell has two. */
class LincheckFrameCellsTest {
    private static final int INVOCATIONS = 500;

    private static void putFrames(FrameCells cells) {
        cells.put(0, 0);
        Thread other = new Thread(() -> putFrames(cells, 10));
        other.start();
        putFrames(cells, 20);
        try {
            other.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        expectOnce(cells, 10);
        expectOnce(cells, 20);
    }

    /** Puts frames {@code first} and {@code first + 1}, and takes the first one away again. */
    private static void putFrames(FrameCells cells, int first) {
        int cell = cells.put(first, 1);
        cells.put(first + 1, 1);
        cells.clear(cell);
    }

    private static void expectOnce(FrameCells cells, int first) {
        int found = 0;
        for (int cell = 0; cell < cells.end(); cell++) {
            int frame = cells.frame(cell);
            found += frame == first ? 100 : frame == first + 1 ? 1 : 0;
        }
        if (found != 1) {
            throw new IllegalStateException("cells of frames " + first + " and " + (first + 1) + ": " + found);
        }
    }

    @Test
    void eachFrameHasOneCell() {
        Lincheck.runConcurrentTest(Tier.pick(50, INVOCATIONS, 10 * INVOCATIONS), () -> putFrames(new FrameCells(2)));
    }

    @Tag("ci")
    @Test
    void lincheckFindsCellsThatAreOverwritten() {
        assertThatThrownBy(() -> Lincheck.runConcurrentTest(
                        INVOCATIONS,
                        () -> putFrames(new FrameCells(2) {
                            @Override
                            boolean cas(int cell, int expected, int value) {
                                set(cell, value - 1);
                                return true;
                            }
                        })))
                .hasMessageContaining("cells of frames");
    }
}
