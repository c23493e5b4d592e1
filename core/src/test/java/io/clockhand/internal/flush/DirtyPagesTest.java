// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.flush;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.clockhand.internal.frame.FrameState;
import io.clockhand.internal.frame.FrameStates;
import io.clockhand.wal.WriteAheadLog;
import org.junit.jupiter.api.Test;

/** The positions of one page from its first update until its copy is in the file, step by step. */
class DirtyPagesTest {
    private static final long LOG_END = 1_000;

    private final FrameStates states = PinnedPages.of(1);
    private final DirtyPages dirty = new DirtyPages(states, 1, true);
    private final FixedLog log = new FixedLog();

    private static final class FixedLog implements WriteAheadLog {
        private long end = 100;

        @Override
        public long end() {
            return end;
        }

        @Override
        public void makeDurable(long lsn) {
            throw new AssertionError("nothing is written here");
        }
    }

    private long copy() {
        assertThat(states.tryPinToWrite(0)).isTrue();
        return dirty.beginCopy(0);
    }

    private void written() {
        dirty.written(0);
        endWrite();
    }

    private void failed() {
        dirty.failed(0);
        endWrite();
    }

    private void discard() {
        assertThat(states.tryClaimLastPin(0)).isTrue();
        dirty.discard(0);
        states.publishPinned(0, 0);
        states.ready(0);
    }

    private void endWrite() {
        states.endWriting(0);
        states.unpin(0);
    }

    private void assertNeeded(long position, String when) {
        assertThat(dirty.needed(0)).as("position that the page needs %s", when).isEqualTo(position);
        assertThat(dirty.oldest(LOG_END)).as("checkpoint %s", when).isEqualTo(Math.min(LOG_END, position));
    }

    private void assertDirty(int count, String when) {
        assertThat(dirty.count()).as("number of dirty pages %s", when).isEqualTo(count);
        assertThat(FrameState.isDirty(states.state(0)))
                .as("dirty mark of the page %s", when)
                .isEqualTo(count > 0);
    }

    @Test
    void laterUpdateKeepsThePositionOfTheFirst() {
        assertNeeded(DirtyPages.NONE, "before any update");
        dirty.begin(0, 100);
        dirty.begin(0, 150);
        assertNeeded(100, "after a later update");
        dirty.begin(0, 50);
        assertNeeded(50, "after the redo of an older record");
        assertDirty(1, "after three updates of one page");
    }

    @Test
    void copyKeepsThePositionUntilItIsInTheFile() {
        dirty.begin(0, 100);
        copy();
        assertNeeded(100, "while the copy is written");
        assertDirty(0, "while the copy is written");
        written();
        assertNeeded(DirtyPages.NONE, "after the write");
    }

    @Test
    void updateDuringAWriteKeepsItsOwnPosition() {
        dirty.begin(0, 100);
        copy();
        dirty.begin(0, 150);
        assertNeeded(100, "while the copy without the update is written");
        written();
        assertNeeded(150, "after the write of the copy without the update");
        assertDirty(1, "after the write of the copy without the update");
    }

    @Test
    void secondCopyKeepsThePositionOfTheOneThatFailed() {
        dirty.begin(0, 100);
        copy();
        failed();
        assertNeeded(100, "after a failed write");
        dirty.begin(0, 150);
        copy();
        assertNeeded(100, "while the second copy is written after the first has failed");
        failed();
        assertNeeded(100, "after the second failed write");
        copy();
        written();
        assertNeeded(DirtyPages.NONE, "after the write that succeeds");
    }

    @Test
    void pageWhoseWriteFailedIsDirtyAgainAndCountsOnce() {
        dirty.begin(0, 100);
        copy();
        failed();
        assertDirty(1, "after a failed write");
        copy();
        dirty.begin(0, 150);
        failed();
        assertDirty(1, "after a failed write during which the page was changed");
        copy();
        written();
        assertDirty(0, "after the write that succeeds");
    }

    @Test
    void discardedPageNeedsNoPosition() {
        dirty.begin(0, 100);
        copy();
        failed();
        dirty.begin(0, 150);
        discard();
        assertNeeded(DirtyPages.NONE, "after a discard that follows a failed write");
        assertDirty(0, "after a discard that follows a failed write");

        update(200);
        discard();
        assertNeeded(DirtyPages.NONE, "after a discard that follows a concurrent update");
        assertThat(dirty.isPrepared(0))
                .as("context of concurrent updates after a discard")
                .isFalse();
        assertDirty(0, "after a discard that follows a concurrent update");
    }

    @Test
    void copyThatFailedKeepsTheLsnUpToWhichTheLogMustBeDurable() {
        dirty.begin(0, 100);
        dirty.raise(0, 110);
        dirty.raise(0, 105);
        assertThat(copy()).as("pageLSN of the first copy").isEqualTo(110);
        failed();
        dirty.begin(0, 50); // repeats an older record
        assertThat(copy()).as("pageLSN of the copy after one that failed").isEqualTo(110);
        written();
        dirty.begin(0, 300);
        assertThat(copy())
                .as("pageLSN of a page that was clean, and has no record since")
                .isZero();
    }

    // --- concurrent updates ------------------------------------------------------------------------------------------

    private void update(long lsn) {
        log.end = lsn;
        UpdateContext counted = dirty.prepare(0, log);
        if (counted != null) {
            dirty.contribute(counted, lsn);
        }
    }

    @Test
    void contextOfConcurrentUpdatesGoesWithTheCopy() {
        update(200);
        update(210);
        assertThat(dirty.isPrepared(0)).isTrue();
        assertNeeded(200, "after two concurrent updates");
        assertDirty(1, "after two concurrent updates");
        copy();
        assertThat(dirty.isPrepared(0))
                .as("context of concurrent updates after the copy")
                .isFalse();
        assertNeeded(200, "while the copy is written");
        update(300);
        written();
        assertNeeded(300, "after the write of the copy without the last update");
    }

    @Test
    void olderOfTwoPositionsCountsIfThePageIsUpdatedInBothWays() {
        dirty.begin(0, 100);
        update(200);
        assertNeeded(100, "after an exclusive update and a concurrent one");
        copy();
        assertNeeded(100, "while the copy of both is written");
        written();
        update(300);
        dirty.begin(0, 400);
        assertNeeded(300, "after a concurrent update and an exclusive one");
        copy();
        assertNeeded(300, "while the copy of both is written");
    }

    @Test
    void checkpointDoesNotGoPastAConcurrentUpdateThatDoesNotEnd() {
        log.end = 200;
        UpdateContext pending = dirty.prepare(0, log);
        assertThat(dirty.oldest(LOG_END))
                .as("checkpoint while an update is pending")
                .isEqualTo(200);
        dirty.cancel(pending);
        assertThat(dirty.isPrepared(0)).isFalse();
        update(250);
        assertNeeded(250, "after an update that was cancelled and one that was not");
    }

    @Test
    void numberThatIsNoPositionIsRefusedAndChangesNothing() {
        for (long position : new long[] {-1, DirtyPages.NONE}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> dirty.begin(0, position))
                    .withMessageContaining(position + " is no position in a log");
            log.end = position;
            assertThatIllegalArgumentException().isThrownBy(() -> dirty.prepare(0, log));
        }
        assertNeeded(DirtyPages.NONE, "after positions that were refused");
    }
}
