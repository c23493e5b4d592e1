// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.testkit;

import java.util.Collection;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Decides for one file which changes that were not forced survive a crash.
 *
 * <p>Of the bytes of each write: all, none, or some of the sectors, whatever survives of other writes; where several
 * surviving writes have written a sector, the latest wins. Of the changes of the length, a part from the beginning on
 * survives, since file systems keep these in order.
 *
 * <p>To make extreme cases frequent, sometimes nothing survives, and sometimes everything.
 */
final class Survival {
    private final SplittableRandom random;
    private int whole;
    private int torn;
    private int lost;

    Survival(SplittableRandom random) {
        this.random = random;
    }

    /** How much of a write survives, or of all changes of the file. */
    private enum Fate {
        NOTHING,
        EVERYTHING,
        SOMETHING;

        private static final List<Fate> ALL = List.of(values());
    }

    /** Brings to the device what survives. */
    void apply(Collection<Change> unforced, Sectors device) {
        int lengths = (int) unforced.stream().filter(Change::changesLength).count();
        Fate all = random.nextInt(2) == 0 ? Fate.SOMETHING : anyFate();
        int survivingLengths = switch (all) {
            case NOTHING -> 0;
            case EVERYTHING -> lengths;
            case SOMETHING -> anyUpTo(lengths);
        };
        for (Change change : unforced) {
            if (change.isWrite()) {
                apply(change, all == Fate.SOMETHING ? anyFate() : all, device);
            }
            if (change.changesLength() && survivingLengths-- > 0) {
                change.applyLengthTo(device);
            }
        }
        device.trim();
    }

    private Fate anyFate() {
        return Fate.ALL.get(random.nextInt(Fate.ALL.size()));
    }

    private int anyUpTo(int count) {
        return switch (anyFate()) {
            case NOTHING -> 0;
            case EVERYTHING -> count;
            case SOMETHING -> random.nextInt(count + 1);
        };
    }

    private void apply(Change write, Fate fate, Sectors device) {
        int surviving = 0;
        for (int i = 0; i < write.sectors(); i++) {
            if (fate == Fate.EVERYTHING || (fate == Fate.SOMETHING && random.nextBoolean())) {
                write.applySectorTo(device, i);
                surviving++;
            }
        }
        if (surviving == 0) {
            lost++;
        } else if (surviving == write.sectors()) {
            whole++;
        } else {
            torn++;
        }
    }

    /** For the history of the disk. */
    @Override
    public String toString() {
        return whole + " writes survived, " + torn + " in part, " + lost + " not";
    }
}
