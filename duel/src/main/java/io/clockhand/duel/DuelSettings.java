// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.duel;

import java.time.Duration;
import java.util.Map;

/**
 * How a duel is run.
 *
 * @param slice for which a contender runs before the next one does
 * @param ownTime of each contender that counts, over all its processes
 * @param warmUp of each process, in its own running time, in turns as well
 * @param processes of each contender, one after another with an equal share of the time. Two processes of the same
 *     program differ (what the JVM compiles how, where its memory lies); only several of them show by how much
 * @param seed of the order in each round and of the bootstrap
 * @param slowed contenders of whose operations a share (between 0 and 1) does not count, to test the method: they need
 *     more work for each operation that does. Stopping them for a share of each slice would not slow them as much on a
 *     busy machine, where the scheduler makes up for the time in which a process did not run
 * @param inTurns whether contenders live at once and take turns; where the platform has no signals they never do
 */
public record DuelSettings(
        Duration slice,
        Duration ownTime,
        Duration warmUp,
        int processes,
        long seed,
        Map<String, Double> slowed,
        boolean inTurns) {
    public DuelSettings {
        if (slice.isNegative() || slice.isZero()) {
            throw new IllegalArgumentException("a slice must take some time, not " + slice);
        }
        if (processes < 1) {
            throw new IllegalArgumentException("a contender needs at least 1 process, not " + processes);
        }
        if (ownTime.compareTo(slice.multipliedBy(processes)) < 0 || warmUp.isNegative()) {
            throw new IllegalArgumentException("each process needs a slice of " + slice
                    + " at least that counts: own time " + ownTime + ", processes " + processes + ", warm-up "
                    + warmUp);
        }
        slowed = Map.copyOf(slowed);
        slowed.forEach((name, share) -> {
            if (!(share > 0 && share < 1)) {
                throw new IllegalArgumentException(name + " cannot be slowed by a share of " + share);
            }
        });
    }

    /** Rounds that count, of each process. */
    public int rounds() {
        return slices(ownTime.dividedBy(processes));
    }

    /** Rounds of each process that do not count. */
    public int warmUpRounds() {
        return slices(warmUp);
    }

    private int slices(Duration time) {
        return Math.toIntExact((time.toNanos() + slice.toNanos() - 1) / slice.toNanos());
    }
}
