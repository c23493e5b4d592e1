// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.flush;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.internal.frame.FrameStates;
import io.clockhand.internal.frame.Latches;
import io.clockhand.testing.Tier;
import io.clockhand.wal.WriteAheadLog;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Updates of rows under a shared latch, in the interleavings of a few steps: no checkpoint goes past the record of a
 * change that is not in the file. {@code -Dclockhand.lincheck.effort=5} explores 25 times as many interleavings. The
 * LSN of ten bytes is left to jcstress: Lincheck 3.7 cannot model a {@code VarHandle} of a byte buffer.
 */
class LincheckSharedUpdatesTest {
    private static final int EFFORT = Integer.getInteger("clockhand.lincheck.effort", Tier.pick(1, 1, 3));

    /** A step of the protocol that is done wrong. */
    enum Fault {
        NONE,
        /** An update counts itself after it has logged. */
        LATE_COUNT,
        /** A context is looked for, then stored. */
        TWO_CONTEXTS,
        /** A checkpoint takes the first LSN while an update is pending. */
        PENDING_IS_IGNORED,
        /** An update releases its share after it has logged, and acquires it again. */
        SHARE_IS_RELEASED,
        /** The page is copied under a share. */
        COPY_UNDER_A_SHARE
    }

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

    /** A copy of the dirty page context in a few lines, and of a checkpoint that does not wait for it. */
    public static class CopyAndCheckpoint extends UpdatesAndCheckpoint {
        private static final int DIRTY = 1 << 31;
        private static final long SINCE = 1;

        private static final class Context {
            private final AtomicInteger word = new AtomicInteger();
            private final AtomicLong firstLsn = new AtomicLong(DirtyPages.NONE);

            boolean tryCount() {
                for (int seen = word.get(); seen >= 0; seen = word.get()) {
                    if (word.compareAndSet(seen, seen + 1)) {
                        return true;
                    }
                }
                return false;
            }

            /** In loops, since Lincheck stops at no step within an accumulation. */
            void end(long lsn) {
                for (long seen = firstLsn.get(); lsn < seen; seen = firstLsn.get()) {
                    firstLsn.compareAndSet(seen, lsn);
                }
                int seen;
                do {
                    seen = word.get();
                } while (!word.compareAndSet(seen, (seen - 1) | DIRTY));
            }
        }

        private final AtomicReference<Context> page = new AtomicReference<>();
        private final Fault fault;

        public CopyAndCheckpoint() {
            this(Fault.NONE);
        }

        CopyAndCheckpoint(Fault fault) {
            this.fault = fault;
        }

        @Override
        long update() {
            Context context = install();
            boolean counted = fault != Fault.LATE_COUNT && context.tryCount();
            long lsn = log.append();
            if (counted || (fault == Fault.LATE_COUNT && context.tryCount())) {
                context.end(lsn);
            }
            return lsn;
        }

        private Context install() {
            Context present = page.get();
            if (present != null) {
                return present;
            }
            Context made = new Context();
            if (fault == Fault.TWO_CONTEXTS) {
                page.set(made);
                return made;
            }
            return page.compareAndSet(null, made) ? made : page.get();
        }

        @Override
        long checkpoint() {
            long end = log.end();
            Context context = page.get();
            int word = context.word.get();
            boolean isKnown = word == DIRTY || (word < 0 && fault == Fault.PENDING_IS_IGNORED);
            return Math.min(end, isKnown ? context.firstLsn.get() : SINCE);
        }
    }

    /** Must fail. */
    public static final class CountedLate extends CopyAndCheckpoint {
        public CountedLate() {
            super(Fault.LATE_COUNT);
        }
    }

    /** Must fail. */
    public static final class TwoContexts extends CopyAndCheckpoint {
        public TwoContexts() {
            super(Fault.TWO_CONTEXTS);
        }
    }

    /** Must fail. */
    public static final class PendingIgnored extends CopyAndCheckpoint {
        public PendingIgnored() {
            super(Fault.PENDING_IS_IGNORED);
        }
    }

    // --- the turn of a write -----------------------------------------------------------------------------------------

    /** A thread updates a page that is dirty, while another one writes it and makes a checkpoint. */
    public static class UpdateAndWrite extends Meeting {
        private final Log log = new Log();
        private final FrameStates states = loadedPage();
        private final Latches latches = new Latches(states, 1);
        private final DirtyPages dirty = new DirtyPages(states, 1, true);
        private final Fault fault;
        private volatile long row;
        private volatile long file;
        private long lsn;
        private long redo;

        public UpdateAndWrite() {
            this(Fault.NONE);
        }

        UpdateAndWrite(Fault fault) {
            this.fault = fault;
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
            if (fault == Fault.SHARE_IS_RELEASED) {
                latches.releaseShared(0);
                if (!latches.tryShared(0)) {
                    return;
                }
            }
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
            boolean exclusive = fault != Fault.COPY_UNDER_A_SHARE;
            if (exclusive ? latches.tryExclusive(0) : latches.tryShared(0)) {
                dirty.beginCopy(0);
                file = row; // no other thread reads it
                if (exclusive) {
                    latches.releaseUnchanged(0);
                } else {
                    latches.releaseShared(0);
                }
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

    /** Must fail. */
    public static final class ShareReleased extends UpdateAndWrite {
        public ShareReleased() {
            super(Fault.SHARE_IS_RELEASED);
        }
    }

    /** Must fail. */
    public static final class CopyUnderAShare extends UpdateAndWrite {
        public CopyUnderAShare() {
            super(Fault.COPY_UNDER_A_SHARE);
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
    @ValueSource(classes = {TableAndCheckpoint.class, CopyAndCheckpoint.class, UpdateAndWrite.class})
    void nothingIsLost(Class<?> meeting) {
        check(meeting, Tier.pick(100, 800, 800) * EFFORT * EFFORT);
    }

    @Tag("ci")
    @ParameterizedTest
    @ValueSource(
            classes = {
                CountedLate.class,
                TwoContexts.class,
                PendingIgnored.class,
                ShareReleased.class,
                CopyUnderAShare.class
            })
    void modelCheckingFindsTheFault(Class<?> meeting) {
        assertThatThrownBy(() -> check(meeting, 800))
                .isInstanceOf(LincheckAssertionError.class)
                .hasMessageContaining("nothingIsLost");
    }
}
