// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.testing.Tier;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReference;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A set of three ids over a table of arrays with chunks of two pages, whose hand moves at any moment. In one table
 * there is space for both chunks; in the other for one, so that the other's page overflows. {@code
 * -Dclockhand.lincheck.effort=5} explores 25 times as many interleavings.
 */
class LincheckArrayPageTableTest {
    private static final int EFFORT = Integer.getInteger("clockhand.lincheck.effort", Tier.pick(1, 1, 3));
    private static final int FRAMES = 5;
    /** A page that is mapped all the time, in a chunk of its own, so that no directory becomes empty. */
    private static final int OTHER = 0;

    private static final int OTHERS_FRAME = FRAMES;
    /** The first of the ids: the first two have a chunk, and the third has another one. */
    private static final int FIRST = 2;
    /** The visits after which the hand comes to the chunk of the first ids, for the second time. */
    private static final int VISITS = 7;
    /** The nodes of a table with two chunks, about; another chunk does not fit. */
    private static final int TWO_CHUNKS = bytesWithTwoChunks();

    private static int bytesWithTwoChunks() {
        ArrayPageTable table = new ArrayPageTable(2, frame -> 0, 1 << 20, 1, 0);
        long fixed = table.bytes() - Directory.root(1).bytes();
        table.putIfAbsent(OTHER, 0);
        table.putIfAbsent(FIRST, 1);
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
            ArrayPageTable arrays = new ArrayPageTable(FRAMES + 1, this::boundTo, maxBytes, 1, 0);
            arrays.putIfAbsent(OTHER, OTHERS_FRAME);
            bound.set(0, FIRST);
            arrays.putIfAbsent(FIRST, 0);
            arrays.remove(FIRST, 0);
            long before = arrays.bytes();
            for (int visit = 0; visit < VISITS; visit++) {
                arrays.sweep();
            }
            if (arrays.bytes() != before) {
                throw new AssertionError("the hand has unlinked the chunk too early");
            }
            table = arrays;
        }

        private long boundTo(int frame) {
            return frame == OTHERS_FRAME ? OTHER : bound.get(frame);
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
            bound.set(frame, FIRST + id);
            boolean added = table.putIfAbsent(FIRST + id, frame) == PageTable.NONE;
            if (!added) {
                taken.set(frame, 0);
            }
            return added;
        }

        @Operation
        public boolean drop(@Param(name = "id") int id) {
            for (; ; ) {
                int frame = table.find(FIRST + id);
                if (frame == PageTable.NONE) {
                    return false;
                }
                if (claimed.compareAndSet(frame, 0, 1)) {
                    boolean removed = table.find(FIRST + id) == frame && table.remove(FIRST + id, frame);
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
            return table.find(FIRST + id) != PageTable.NONE;
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
            super(TWO_CHUNKS);
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
            return chunk == null ? NONE : chunk.get((int) id - FIRST) - 1;
        }

        @Override
        public int putIfAbsent(long id, int frame) {
            for (; ; ) {
                AtomicIntegerArray chunk = link.get();
                if (chunk == null) {
                    link.compareAndSet(null, new AtomicIntegerArray(3));
                } else if (chunk.compareAndSet((int) id - FIRST, 0, frame + 1)) {
                    return NONE;
                } else if (chunk.get((int) id - FIRST) != 0) {
                    return chunk.get((int) id - FIRST) - 1;
                }
            }
        }

        @Override
        public boolean remove(long id, int frame) {
            AtomicIntegerArray chunk = link.get();
            return chunk != null && chunk.compareAndSet((int) id - FIRST, frame + 1, 0);
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
                .iterations(Tier.pick(2, 15, 15) * EFFORT)
                .invocationsPerIteration(Tier.pick(100, 300, 300) * EFFORT)
                .minimizeFailedScenario(false);
    }

    @Test
    void handUnlinksTheChunkAtItsNextVisit() {
        for (Ids ids : new Ids[] {new Spacious(), new Narrow()}) {
            long before = ids.table.bytes();
            ids.sweep();
            assertThat(ids.table.bytes()).isLessThan(before);
        }
    }

    @Test
    void tableWithSpaceIsLinearizable() {
        options().check(Spacious.class);
    }

    @Test
    void tableWithAnOverflowIsLinearizable() {
        options().check(Narrow.class);
    }

    @Tag("ci")
    @Test
    void modelCheckingFindsATableThatUnlinksAChunkWithoutFreezingIt() {
        ModelCheckingOptions options = options().iterations(50).invocationsPerIteration(1_000);

        assertThatThrownBy(() -> options.check(Unfrozen.class)).isInstanceOf(LincheckAssertionError.class);
    }
}
