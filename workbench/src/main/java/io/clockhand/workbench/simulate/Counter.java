// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.simulate;

import java.util.ArrayList;
import java.util.List;

/** Hits of a simulation, in all and by parts of equal length. Not thread-safe. */
final class Counter {
    private static final double PERCENT = 100;

    private final long references;
    private final int parts;
    private final List<Moment> moments = new ArrayList<>();

    private long hits;
    private long simulated;
    private long hitsBefore;
    private long simulatedBefore;

    /**
     * A part of the references that count.
     *
     * @param reference the last of the part, from 1
     * @param hitPercent null if none of the part was simulated
     */
    record Moment(long reference, Double hitPercent) {}

    /**
     * Makes a counter of nothing.
     *
     * @param references that will pass
     * @param parts how many; 0 for none
     */
    Counter(long references, int parts) {
        this.references = references;
        this.parts = (int) Math.min(parts, references);
    }

    /** The number of the reference that ends the present part, from 1. */
    long endOfPart() {
        return moments.size() < parts ? end(moments.size() + 1) : references;
    }

    private long end(int part) {
        return references * part / parts;
    }

    /**
     * References of the present part have passed.
     *
     * @param last the number of the last of them, from 1
     * @param newHits among those that were simulated
     * @param newSimulated how many of them were
     */
    void add(long last, long newHits, long newSimulated) {
        hits += newHits;
        simulated += newSimulated;
        if (moments.size() < parts && last == endOfPart()) {
            long of = simulated - simulatedBefore;
            moments.add(new Moment(last, of == 0 ? null : Double.valueOf(PERCENT * (hits - hitsBefore) / of)));
            hitsBefore = hits;
            simulatedBefore = simulated;
        }
    }

    long hits() {
        return hits;
    }

    long simulated() {
        return simulated;
    }

    /** Null without parts. */
    List<Moment> moments() {
        return parts == 0 ? null : moments;
    }
}
