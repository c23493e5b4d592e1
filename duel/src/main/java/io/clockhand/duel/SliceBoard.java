// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.duel;

import java.io.IOException;
import java.nio.file.Path;

/** The parent's side of a duel with one child: announces slices, and reads what the child has counted. */
public final class SliceBoard {
    private final SliceFile file;

    private SliceBoard(SliceFile file) {
        this.file = file;
    }

    /**
     * Makes the file, which must not exist, for a child to open as its {@link SliceClock}.
     *
     * @param counters one for each thread of the child that counts
     */
    public static SliceBoard create(Path file, int counters) throws IOException {
        return new SliceBoard(SliceFile.create(file, counters));
    }

    /** Whether the child has reported that it is ready. */
    public boolean isReady() {
        return file.load(SliceFile.READY) != 0;
    }

    /**
     * Announces a slice, while the child is stopped.
     *
     * @param slice negative for warm-up, positive if it counts; never the same twice
     */
    public void begin(long slice) {
        file.store(SliceFile.SLICE, slice);
    }

    /** Asks the child to end; operations under way now count for nothing. */
    public void end() {
        file.store(SliceFile.SLICE, 0);
        file.store(SliceFile.OVER, 1);
    }

    /** The operations that the child has counted since it started; exact while the child is stopped. */
    public long operations() {
        long sum = 0;
        for (int i = 0; i < file.counters(); i++) {
            sum += file.load(SliceFile.FIRST_COUNTER + i);
        }
        return sum;
    }
}
