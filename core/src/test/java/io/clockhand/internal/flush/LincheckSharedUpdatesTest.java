// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.flush;

import io.clockhand.internal.frame.FrameStates;
import io.clockhand.internal.frame.Latches;
import io.clockhand.testing.Tier;
import io.clockhand.wal.WriteAheadLog;
import java.util.concurrent.atomic.AtomicLong;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Updates of rows under a shared latch, in the interleavings of a few steps: no checkpoint goes past the record of a
 * change that is not in the file. {@code -Dclockhand.lincheck.effort=5} explores 25 times as many interleavings. The
 * LSN of ten bytes is left to jcstress: Lincheck 3.7 cannot model a {@code VarHandle} of a byte buffer.
 */
class LincheckSharedUpdatesTest {
    private static final int EFFORT = Integer.getInteger("clockhand.lincheck.effort", Tier.pick(1, 1, 3));

    static final class Log implements WriteAheadLog {
        private final AtomicLong end = new AtomicLong(1);

        long append() {
            return end.getAndIncrement();
        }

        @Override
        public long end() {
            return end.get();
        }

        @Override
        public void makeDurable(long lsn) {
            // nothing crashes
        }
    }

    private static FrameStates loadedPage() {
        FrameStates states = new FrameStates(1, true);
        states.tryTakeFree(0);
        states.publishPinned(0, 0);
        states.ready(0);
        states.unpin(0);
        return states;
    }

    /** Two threads that meet: each does one thing. */
    public abstract static class Meeting {
        abstract void playOne();

        abstract void playTwo();

        abstract void checkEnd();

        @Operation(runOnce = true)
        public void one() {
            playOne();
        }

        @Operation(runOnce = true)
        public void two() {
            playTwo();
        }

        @Validate
        public void nothingIsLost() {
            checkEnd();
        }

        static void expect(boolean holds, String failure) {
            if (!holds) {
                throw new IllegalStateException(failure);
            }
        }
    }

    // --- a checkpoint, and updates that have not contributed their LSNs ---------------------------------------------

    /** Two threads update the page; one of them then makes a checkpoint. */
    public abstract static class UpdatesAndCheckpoint extends Meeting {
        final Log log = new Log();
        private long lsnOne = Long.MAX_VALUE;
        private long lsnTwo = Long.MAX_VALUE;
        private long redo;

        @Override
        void playOne() {
            lsnOne = update();
        }

        @Override
        void playTwo() {
            lsnTwo = update();
            redo = checkpoint();
        }

        abstract long update();

        abstract long checkpoint();

        @Override
        void checkEnd() {
            expect(redo <= lsnOne && redo <= lsnTwo, "the checkpoint goes past a record");
        }
    }

    /** The dirty page table of the pool. */
    public static final class TableAndCheckpoint extends UpdatesAndCheckpoint {
        private final FrameStates states = loadedPage();
        private final Latches latches = new Latches(states, 1);
        private final DirtyPages dirty = new DirtyPages(states, 1, true);

        @Override
        long update() {
            latches.tryShared(0);
            UpdateContext counted = dirty.isPrepared(0) ? null : dirty.prepare(0, log);
            long lsn = log.append();
            if (counted != null) {
                dirty.contribute(counted, lsn);
            }
            latches.releaseShared(0);
            return lsn;
        }

        @Override
        long checkpoint() {
            return dirty.oldest(log.end());
        }
    }

    // --- the turn of a write -----------------------------------------------------------------------------------------

    /** A thread updates a page that is dirty, while another one writes it and makes a checkpoint. */
    public static final class UpdateAndWrite extends Meeting {
        private final Log log = new Log();
        private final FrameStates states = loadedPage();
        private final Latches latches = new Latches(states, 1);
        private final DirtyPages dirty = new DirtyPages(states, 1, true);
        private volatile long row;
        private volatile long file;
        private long lsn;
        private long redo;

        public UpdateAndWrite() {
            update();
        }

        @Override
        void playOne() {
            update();
        }

        private void update() {
            if (!latches.tryShared(0)) {
                return;
            }
            UpdateContext counted = dirty.isPrepared(0) ? null : dirty.prepare(0, log);
            long appended = log.append();
            row = appended;
            if (counted != null) {
                dirty.contribute(counted, appended);
            }
            latches.releaseShared(0);
            lsn = appended;
        }

        @Override
        void playTwo() {
            write();
            redo = dirty.oldest(log.end());
        }

        private void write() {
            states.tryPinToWrite(0);
            if (latches.tryExclusive(0)) {
                dirty.beginCopy(0);
                file = row; // no other thread reads it
                latches.releaseUnchanged(0);
                dirty.written(0);
            }
            states.endWriting(0);
            states.unpin(0);
        }

        @Override
        void checkEnd() {
            long last = Math.max(redo, dirty.oldest(log.end()));
            expect(last <= lsn || file >= lsn, "the checkpoint goes past a record");
        }
    }

    private static void check(Class<?> meeting, int invocations) {
        new ModelCheckingOptions()
                .threads(2)
                .actorsPerThread(1)
                .actorsBefore(0)
                .actorsAfter(0)
                .iterations(1) // there is one scenario only
                .invocationsPerIteration(invocations)
                .minimizeFailedScenario(false)
                .check(meeting);
    }

    @ParameterizedTest
    @ValueSource(classes = {TableAndCheckpoint.class, UpdateAndWrite.class})
    void nothingIsLost(Class<?> meeting) {
        check(meeting, Tier.pick(100, 800, 800) * EFFORT * EFFORT);
    }
}
