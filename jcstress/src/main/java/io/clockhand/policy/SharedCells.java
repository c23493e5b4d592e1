// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

/** Makes cells, which are package-private, accessible to the stress tests. Frame 0 is in the first one. */
public class SharedCells {
    private final FrameCells cells;
    private final int first;

    public SharedCells() {
        this(new FrameCells(2));
    }

    SharedCells(FrameCells cells) {
        this.cells = cells;
        first = cells.put(0, 0);
    }

    static FrameCells thatAreOverwritten() {
        return new FrameCells(2) {
            @Override
            boolean cas(int cell, int expected, int value) {
                set(cell, value - 1);
                return true;
            }
        };
    }

    /** Takes frame 0 out, and puts frame 1. */
    public final void replaceFirst() {
        cells.clear(first);
        put(1);
    }

    /** Puts frames 2 and 3. */
    public final void putTwo() {
        put(2);
        put(3);
    }

    /** Puts a frame behind the second cell: into the first one if that is empty. */
    private void put(int frame) {
        cells.put(frame, first + 1);
    }

    /** {@return the frames in all cells, in order of their numbers} */
    public final String end() {
        StringBuilder frames = new StringBuilder();
        for (int frame = 0; frame < 10; frame++) {
            for (int cell = 0; cell < cells.end(); cell++) {
                if (cells.frame(cell) == frame) {
                    frames.append(frame);
                }
            }
        }
        return frames.toString();
    }
}
