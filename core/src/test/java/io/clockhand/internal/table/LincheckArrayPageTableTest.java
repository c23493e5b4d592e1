// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.table;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReference;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/**
 * A set of three ids over a table of arrays with chunks of two pages, whose hand moves at any moment. In one table
 * there is space for both chunks; in the other for one, so that the other's page overflows. {@code
 * -Dclockhand.lincheck.effort=5} explores 25 times as many interleavings.
 */
class LincheckArrayPageTableTest {
    private static final int EFFORT = Integer.getInteger("clockhand.lincheck.effort", 1);
    private static final int FRAMES = 5;
    /** About the nodes of a table with one chunk; another chunk does not fit. */
    private static final int ONE_CHUNK = bytesWithAChunk();

    private static int bytesWithAChunk() {
        ArrayPageTable table = new ArrayPageTable(1, frame -> 0, 1 << 20, 1);
        long fixed = table.bytes() - PageRange.bytes(16, true);
        table.putIfAbsent(0, 0);
        return (int) (table.bytes() - fixed);
    }

    /** The sequential specification: the hand changes no result. */
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

        public void sweep() {
            // nothing
        }
    }

    /** The operations; the constructor makes a fresh table for every run. */
    @Param(name = "id", gen = IntGen.class, conf = "0:2")
    public abstract static class Ids {
        private final AtomicIntegerArray bound = new AtomicIntegerArray(FRAMES);
        /** 1 while a thread owns the frame, or the frame is mapped; threads take the lowest free frame. */
        private final AtomicIntegerArray taken = new AtomicIntegerArray(FRAMES);

        private final AtomicIntegerArray claimed = new AtomicIntegerArray(FRAMES);
        private final PageTable table;

        Ids(int maxBytes) {
            if (maxBytes == 0) {
                table = new UnfrozenTable();
                return;
            }
            ArrayPageTable arrays = new ArrayPageTable(FRAMES, bound::get, maxBytes, 1);
            for (int visit = 0; visit < RangeTree.MOST_VISITS; visit++) {
                arrays.sweep();
            }
            arrays.putIfAbsent(0, 0);
            arrays.remove(0, 0);
            for (int visit = 0; visit < 11; visit++) { // the next one unlinks the chunk
                arrays.sweep();
            }
            table = arrays;
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
            boolean added = table.putIfAbsent(id, frame) == PageTable.NONE;
            if (!added) {
                taken.set(frame, 0);
            }
            return added;
        }

        @Operation
        public boolean drop(@Param(name = "id") int id) {
            for (; ; ) {
                int frame = table.find(id);
                if (frame == PageTable.NONE) {
                    return false;
                }
                if (claimed.compareAndSet(frame, 0, 1)) {
                    boolean removed = table.find(id) == frame && table.remove(id, frame);
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
            return table.find(id) != PageTable.NONE;
        }

        @Operation
        public void sweep() {
            if (table instanceof ArrayPageTable arrays) {
                arrays.sweep();
            } else {
                ((UnfrozenTable) table).unlinkEmpty();
            }
        }
    }

    /** The real table. */
    public static final class Spacious extends Ids {
        public Spacious() {
            super(1 << 20);
        }
    }

    /** The real table, with an overflow. */
    public static final class Narrow extends Ids {
        public Narrow() {
            super(ONE_CHUNK);
        }
    }

    /** A table that must fail. */
    public static final class Unfrozen extends Ids {
        public Unfrozen() {
            super(0);
        }
    }

    /** One chunk, which is unlinked when it is seen to be empty, and not frozen first. */
    private static final class UnfrozenTable implements PageTable {
        private final AtomicReference<AtomicIntegerArray> link = new AtomicReference<>();

        @Override
        public int find(long id) {
            AtomicIntegerArray chunk = link.get();
            return chunk == null ? NONE : chunk.get((int) id) - 1;
        }

        @Override
        public int putIfAbsent(long id, int frame) {
            for (; ; ) {
                AtomicIntegerArray chunk = link.get();
                if (chunk == null) {
                    link.compareAndSet(null, new AtomicIntegerArray(3));
                } else if (chunk.compareAndSet((int) id, 0, frame + 1)) {
                    return NONE;
                } else if (chunk.get((int) id) != 0) {
                    return chunk.get((int) id) - 1;
                }
            }
        }

        @Override
        public boolean remove(long id, int frame) {
            AtomicIntegerArray chunk = link.get();
            return chunk != null && chunk.compareAndSet((int) id, frame + 1, 0);
        }

        void unlinkEmpty() {
            AtomicIntegerArray chunk = link.get();
            if (chunk != null && chunk.get(0) == 0 && chunk.get(1) == 0 && chunk.get(2) == 0) {
                link.set(null);
            }
        }

        @Override
        public int size() {
            throw new UnsupportedOperationException();
        }
    }

    private static ModelCheckingOptions options() {
        return new ModelCheckingOptions()
                .threads(2)
                .actorsPerThread(2)
                .actorsBefore(1)
                .actorsAfter(2)
                .sequentialSpecification(Plain.class)
                .iterations(15 * EFFORT)
                .invocationsPerIteration(300 * EFFORT)
                .minimizeFailedScenario(false);
    }

    @Test
    void tableWithSpaceIsLinearizable() {
        options().check(Spacious.class);
    }

    @Test
    void tableWithAnOverflowIsLinearizable() {
        options().check(Narrow.class);
    }

    @Test
    void modelCheckingFindsATableThatUnlinksAChunkWithoutFreezingIt() {
        ModelCheckingOptions options = options().iterations(50).invocationsPerIteration(1_000);

        assertThatThrownBy(() -> options.check(Unfrozen.class)).isInstanceOf(LincheckAssertionError.class);
    }
}
