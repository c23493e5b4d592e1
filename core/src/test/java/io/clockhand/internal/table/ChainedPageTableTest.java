// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Walks during which their chain changes, step by step: another thread's steps run when a walk reads an id. */
class ChainedPageTableTest {
    private static final int FRAMES = 8;
    /** By which the table multiplies an id. */
    private static final long SPREAD = 0x9E37_79B9_7F4A_7C15L;

    private final long[] ids = new long[FRAMES];
    /** Runs once, before the id of this frame is read. */
    private int stepAt = -1;

    private Runnable step = () -> {};
    private final ChainedPageTable table = new ChainedPageTable(FRAMES, this::idOf);
    /** Ids of one bucket, and of another. */
    private final List<Long> here = inBucket(0);

    private final List<Long> elsewhere = inBucket(1);

    private long idOf(int frame) {
        if (frame == stepAt) {
            stepAt = -1;
            step.run();
        }
        return ids[frame];
    }

    private static List<Long> inBucket(int bucket) {
        List<Long> found = new ArrayList<>();
        for (long id = 0; found.size() < FRAMES; id++) {
            if ((id * SPREAD) >>> (Long.SIZE - 4) == bucket) { // of 16 buckets
                found.add(id);
            }
        }
        return found;
    }

    /** The chain is 3, 2, 1, 0: frame n has the n-th id. */
    @BeforeEach
    void mapFour() {
        for (int frame = 0; frame < 4; frame++) {
            ids[frame] = here.get(frame);
            assertThat(table.putIfAbsent(ids[frame], frame)).isEqualTo(PageTable.NONE);
        }
    }

    private void during(int frame, Runnable steps) {
        stepAt = frame;
        step = steps;
    }

    private void move(int frame, long id) {
        assertThat(table.remove(ids[frame], frame)).isTrue();
        ids[frame] = id;
        assertThat(table.putIfAbsent(id, frame)).isEqualTo(PageTable.NONE);
    }

    @Test
    void lookupFindsTheFramesBehindOneThatGoesElsewhere() {
        during(2, () -> move(2, elsewhere.get(0)));

        assertThat(table.find(here.get(0)))
                .as("the frame of an id at the end of the chain")
                .isZero();
        assertThat(table.find(elsewhere.get(0))).isEqualTo(2);
    }

    @Test
    void lookupDuringWhichTheFirstFrameGoesElsewhereFindsTheFramesBehindIt() {
        during(3, () -> move(3, elsewhere.get(0)));

        assertThat(table.find(here.get(0)))
                .as("the frame of an id at the end of the chain")
                .isZero();
    }

    /** The same frame is the first again, but the chain is another. */
    @Test
    void lookupDuringWhichTheFirstFrameGoesAndComesBackFindsWhatIsMapped() {
        during(2, () -> {
            move(2, elsewhere.get(0));
            move(3, elsewhere.get(1));
            move(3, here.get(3));
        });

        assertThat(table.find(here.get(0)))
                .as("the frame of an id at the end of the chain")
                .isZero();
    }

    @Test
    void insertionDuringWhichItsIdIsMappedFindsIt() {
        ids[5] = here.get(5);
        ids[6] = here.get(5);
        during(1, () -> table.putIfAbsent(here.get(5), 5));

        assertThat(table.putIfAbsent(here.get(5), 6))
                .as("the frame of an id that was mapped meanwhile")
                .isEqualTo(5);
        assertThat(table.size()).isEqualTo(5);
    }

    @Test
    void insertionDuringWhichAFrameOfTheMiddleGoesElsewhereMapsNoIdTwice() {
        ids[6] = here.get(0);
        during(2, () -> move(2, elsewhere.get(0)));

        assertThat(table.putIfAbsent(here.get(0), 6))
                .as("the frame of an id behind the one that went")
                .isZero();
    }

    /** The frame is still bound to the id that the walk reads, but not mapped any more. */
    @Test
    void insertionDuringWhichItsIdIsUnmappedMapsIt() {
        ids[6] = here.get(1);
        during(1, () -> table.remove(here.get(1), 1));

        assertThat(table.putIfAbsent(here.get(1), 6))
                .as("the frame of an id that was unmapped meanwhile")
                .isEqualTo(PageTable.NONE);
        assertThat(table.find(here.get(1))).isEqualTo(6);
    }

    @Test
    void lookupDuringWhichItsIdIsUnmappedFindsNothing() {
        during(1, () -> table.remove(here.get(1), 1));

        assertThat(table.find(here.get(1)))
                .as("the frame of an id that was unmapped meanwhile")
                .isEqualTo(PageTable.NONE);
    }

    @Test
    void framesThatAreLeftStayInTheirOrder() {
        table.remove(here.get(2), 2);
        table.remove(here.get(0), 0);

        assertThat(table.find(here.get(3))).isEqualTo(3);
        assertThat(table.find(here.get(1))).isEqualTo(1);
        assertThat(table.find(here.get(2))).isEqualTo(PageTable.NONE);
        assertThat(table.find(here.get(0))).isEqualTo(PageTable.NONE);
        assertThat(table.size()).isEqualTo(2);
    }
}
