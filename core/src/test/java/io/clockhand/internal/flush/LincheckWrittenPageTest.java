// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.flush;

import io.clockhand.internal.frame.FrameStates;
import io.clockhand.wal.WriteAheadLog;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A checkpoint that reads the dirty page table while a page is copied and its write fails, in all interleavings of
 * their steps: it must not go past the record of the change, which is in no file.
 */
class LincheckWrittenPageTest {
    private static final long LSN = 7;
    private static final long LOG_END = 9;

    /** The copy of a page, which has one change, meets a checkpoint. */
    public abstract static class CopyAndCheckpoint {
        private final FrameStates states = PinnedPages.of(1);
        final DirtyPages dirty = new DirtyPages(states, 1, true);
        private long redo = LSN;

        @Operation(runOnce = true)
        public void copy() {
            states.tryPinToWrite(0);
            dirty.beginCopy(0);
            dirty.failed(0);
        }

        @Operation(runOnce = true)
        public void checkpoint() {
            redo = dirty.oldest(LOG_END);
        }

        @Validate
        public void noRecordIsPassed() {
            if (redo > LSN) {
                throw new IllegalStateException("the checkpoint goes past the record of a page that is being copied");
            }
        }
    }

    /** The page was changed by a thread that had latched it exclusively. */
    public static final class ChangedPage extends CopyAndCheckpoint {
        public ChangedPage() {
            dirty.begin(0, LSN);
        }
    }

    /** A row of the page was updated under a share. */
    public static final class UpdatedPage extends CopyAndCheckpoint {
        public UpdatedPage() {
            WriteAheadLog log = new WriteAheadLog() {
                @Override
                public long end() {
                    return LSN;
                }

                @Override
                public void makeDurable(long lsn) {
                    // nothing crashes
                }
            };
            dirty.contribute(dirty.prepare(0, log), LSN);
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {ChangedPage.class, UpdatedPage.class})
    void checkpointStaysBeforeTheRecord(Class<?> meeting) {
        new ModelCheckingOptions()
                .threads(2)
                .actorsPerThread(1)
                .actorsBefore(0)
                .actorsAfter(0)
                .iterations(1) // there is one scenario only
                .invocationsPerIteration(200)
                .minimizeFailedScenario(false)
                .check(meeting);
    }
}
