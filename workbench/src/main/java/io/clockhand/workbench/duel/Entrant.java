// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.duel;

import io.clockhand.duel.SliceBoard;
import io.clockhand.workbench.environment.StartedChild;
import java.io.IOException;

/**
 * One contender of a duel.
 *
 * @param name differs from those of the others
 * @param counters how many threads of the child count operations
 * @param start prepares the data and starts the child
 */
public record Entrant(String name, int counters, Start start) {

    /** Prepares the data of a contender and starts its child. */
    public interface Start {
        /** Returns at once. */
        Started start() throws IOException;
    }

    /**
     * A child that waits for its first slice.
     *
     * @param slices the file that its order names; made before the child is started
     */
    public record Started(StartedChild child, SliceBoard slices) {}
}
