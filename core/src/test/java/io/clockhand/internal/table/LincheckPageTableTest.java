// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.table;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.testing.Tier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A set of three ids over a page table, whose frames are taken, bound and reused as a pool does it: the three ids share
 * a chain with frames that were just removed from it. {@code -Dclockhand.lincheck.effort=5} explores 25 times as many
 * interleavings.
 */
class LincheckPageTableTest {
    private static final int EFFORT = Integer.getInteger("clockhand.lincheck.effort", Tier.pick(1, 1, 3));

    /** The sequential specification. */
    public static final class Plain {
        private final boolean[] ids = new boolean[3];

        public boolean add(int id) {
            boolean absent = !ids[id];
            ids[id] = true;
            return absent;
        }

        public boolean drop(int id) {
            boolean present = ids[id];
            ids[id] = false;
            return present;
        }

        public boolean has(int id) {
            return ids[id];
        }
    }

    /** The operations; the constructor makes a fresh table for every run. */
    @Param(name = "id", gen = IntGen.class, conf = "0:2")
    public abstract static class Ids {
        private static final int FRAMES = 5;

        private final AtomicLongArray bound = new AtomicLongArray(FRAMES);
        /** 1 while a thread owns the frame, or the frame is mapped; threads take the lowest free frame. */
        private final AtomicIntegerArray taken = new AtomicIntegerArray(FRAMES);

        private final AtomicIntegerArray claimed = new AtomicIntegerArray(FRAMES);
        private final PageTable table;

        Ids(boolean validates) {
            for (int frame = 0; frame < FRAMES; frame++) {
                bound.set(frame, -1);
            }
            // all ids in one bucket
            table = validates
                    ? new ChainedPageTable(FRAMES, frame -> spread(bound.get(frame)))
                    : new UnvalidatedTable(FRAMES, frame -> spread(bound.get(frame)));
        }

        /** A bucket is chosen by the upper bits of a product; those of these ids are 0, 1 and 2. */
        private static long spread(long id) {
            return id < 0 ? id : id * 0xF1DE_83E1_9937_733DL;
        }

        private static long number(int id) {
            return spread(id);
        }

        private int takeFrame() {
            for (int frame = 0; frame < FRAMES; frame++) {
                if (taken.compareAndSet(frame, 0, 1)) {
                    return frame;
                }
            }
            throw new IllegalStateException("two threads need no more than " + FRAMES + " frames");
        }

        @Operation
        public boolean add(@Param(name = "id") int id) {
            int frame = takeFrame();
            bound.set(frame, id);
            boolean added = table.putIfAbsent(number(id), frame) == PageTable.NONE;
            if (!added) {
                taken.set(frame, 0);
            }
            return added;
        }

        @Operation
        public boolean drop(@Param(name = "id") int id) {
            for (; ; ) {
                int frame = table.find(number(id));
                if (frame == PageTable.NONE) {
                    return false;
                }
                if (claimed.compareAndSet(frame, 0, 1)) {
                    boolean removed = table.find(number(id)) == frame && table.remove(number(id), frame);
                    claimed.set(frame, 0);
                    if (removed) {
                        taken.set(frame, 0);
                        return true;
                    }
                }
            }
        }

        @Operation
        public boolean has(@Param(name = "id") int id) {
            return table.find(number(id)) != PageTable.NONE;
        }
    }

    /** The real table. */
    public static final class Real extends Ids {
        public Real() {
            super(true);
        }
    }

    /** A table that must fail. */
    public static final class Unvalidated extends Ids {
        public Unvalidated() {
            super(false);
        }
    }

    /**
     * As {@link ChainedPageTable}, but it never validates a walk by the bucket version: an insertion compares the
     * first frame only.
     */
    private static final class UnvalidatedTable implements PageTable {
        private final AtomicInteger first = new AtomicInteger(NONE);
        private final AtomicIntegerArray next;
        private final java.util.function.IntToLongFunction idOf;

        UnvalidatedTable(int frames, java.util.function.IntToLongFunction idOf) {
            this.next = new AtomicIntegerArray(frames);
            this.idOf = idOf;
        }

        @Override
        public int find(long id) {
            int steps = 0;
            for (int frame = first.get(); frame != NONE && steps < 10; frame = next.get(frame), steps++) {
                if (idOf.applyAsLong(frame) == id) {
                    return frame;
                }
            }
            return NONE;
        }

        @Override
        public int putIfAbsent(long id, int frame) {
            for (; ; ) {
                int head = first.get();
                int found = find(id);
                if (found != NONE) {
                    return found;
                }
                next.set(frame, head);
                if (first.compareAndSet(head, frame)) {
                    return NONE;
                }
            }
        }

        @Override
        public synchronized boolean remove(long id, int frame) {
            for (; ; ) {
                int head = first.get();
                if (head == frame) {
                    if (first.compareAndSet(head, next.get(frame))) {
                        return true;
                    }
                    continue;
                }
                int steps = 0;
                for (int at = head; at != NONE && steps < 10; at = next.get(at), steps++) {
                    if (next.get(at) == frame) {
                        next.set(at, next.get(frame));
                        return true;
                    }
                }
                return false;
            }
        }

        @Override
        public int size() {
            throw new UnsupportedOperationException();
        }
    }

    @Test
    void tableIsLinearizableUnderModelChecking() {
        new ModelCheckingOptions()
                .threads(2)
                .actorsPerThread(2)
                .actorsBefore(2)
                .actorsAfter(2)
                .sequentialSpecification(Plain.class)
                .iterations(Tier.pick(2, 10, 10) * EFFORT)
                .invocationsPerIteration(Tier.pick(100, 300, 300) * EFFORT)
                .check(Real.class);
    }

    @Tag("ci")
    @Test
    void tableIsLinearizableUnderStress() {
        new StressOptions()
                .threads(3)
                .actorsPerThread(2)
                .actorsBefore(2)
                .actorsAfter(2)
                .sequentialSpecification(Plain.class)
                .iterations(10 * EFFORT)
                .invocationsPerIteration(500 * EFFORT)
                .check(Real.class);
    }

    @Tag("ci")
    @Test
    void modelCheckingFindsATableThatDoesNotValidateItsWalks() {
        ModelCheckingOptions options = new ModelCheckingOptions()
                .threads(2)
                .actorsPerThread(3)
                .actorsBefore(2)
                .actorsAfter(1)
                .sequentialSpecification(Plain.class)
                .iterations(50)
                .invocationsPerIteration(1_000)
                .minimizeFailedScenario(false);

        assertThatThrownBy(() -> options.check(Unvalidated.class)).isInstanceOf(LincheckAssertionError.class);
    }
}
