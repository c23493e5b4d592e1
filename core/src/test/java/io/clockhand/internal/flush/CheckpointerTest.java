// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.flush;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.PoolFailedException;
import io.clockhand.internal.frame.FrameStates;
import io.clockhand.internal.pool.Failures;
import io.clockhand.wal.WriteAheadLog;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The steps of a checkpoint in their order: what happens between two of them decides what it may return. */
class CheckpointerTest {
    private final FrameStates states = PinnedPages.of(2);
    private final DirtyPages dirty = new DirtyPages(states, 2, false);
    private final HookedLog log = new HookedLog();
    private final WriteCounters counters = new WriteCounters();
    private final List<String> calls = new ArrayList<>();
    private Step onForce = () -> {};
    private final Checkpointer checkpointer = newCheckpointer(false);
    private Checkpointer forcer = checkpointer;

    private interface Step {
        void run() throws IOException;
    }

    private static final class HookedLog implements WriteAheadLog {
        private long end = 200;
        private Runnable beforeEnd = () -> {};

        @Override
        public long end() {
            beforeEnd.run();
            return end;
        }

        @Override
        public void makeDurable(long lsn) {
            throw new AssertionError("nothing is written here");
        }
    }

    private Checkpointer newCheckpointer(boolean retriesForce) {
        return new Checkpointer(
                log,
                dirty,
                () -> forcer.force(() -> {
                    calls.add("force");
                    onForce.run();
                }),
                counters,
                retriesForce,
                "pool");
    }

    private long checkpoint() throws IOException {
        return checkpointer.checkpoint(() -> {
            calls.add("write");
            return 0;
        });
    }

    private void update(int frame) {
        dirty.begin(frame, log.end);
        log.end += 10;
    }

    private void write(int frame) {
        assertThat(states.tryPinToWrite(frame)).isTrue();
        dirty.beginCopy(frame);
        dirty.written(frame);
        states.endWriting(frame);
        states.unpin(frame);
    }

    @Test
    void pagesAreWrittenBeforeTheForce() throws IOException {
        assertThat(checkpoint()).isEqualTo(200);
        assertThat(calls).containsExactly("write", "force");
    }

    /** Such a page was perhaps written after the force had begun, so it may not be on the device. */
    @Test
    void pageThatIsWrittenDuringTheForceHoldsTheCheckpointBack() throws IOException {
        update(0);
        onForce = () -> write(0);
        assertThat(checkpoint())
                .as("checkpoint during whose force the page was written")
                .isEqualTo(200);
        onForce = () -> {};
        assertThat(checkpoint()).isEqualTo(210);
    }

    @Test
    void updateThatBeginsBeforeTheEndOfTheLogIsReadHoldsTheCheckpointBack() throws IOException {
        log.beforeEnd = () -> {
            log.beforeEnd = () -> {};
            update(0);
        };
        assertThat(checkpoint())
                .as("checkpoint of a log whose last record is of a dirty page")
                .isEqualTo(200);
    }

    @Test
    void checkpointNeverReturnsLessThanTheOneBefore() throws IOException {
        assertThat(checkpoint()).isEqualTo(200);
        dirty.begin(0, 150); // an update that has read the end of the log long ago
        assertThat(checkpoint()).as("the second checkpoint").isEqualTo(200);
        assertThat(counters.checkpoints()).isEqualTo(2);
        assertThat(counters.lastCheckpointDistance())
                .as("distance of the second")
                .isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void failedForceIsFinalWhateverItThrows(int kind) {
        Throwable failure = List.of(
                        new IOException("device"),
                        new IllegalStateException("device"),
                        new Error("device"),
                        new Exception("device")) // undeclared, as of another language
                .get(kind);
        onForce = () -> Failures.<RuntimeException>rethrow(failure);
        assertThatThrownBy(this::checkpoint).isSameAs(failure);
        assertThat(counters.checkpoints()).as("checkpoints that have succeeded").isZero();
        onForce = () -> {};
        calls.clear();

        assertThatThrownBy(this::checkpoint, "a checkpoint after a force has failed")
                .isInstanceOf(PoolFailedException.class)
                .hasCause(failure);
        assertThatThrownBy(() -> checkpointer.force(() -> calls.add("other")), "a force after one that has failed")
                .isInstanceOf(PoolFailedException.class);
        assertThatThrownBy(checkpointer::checkNotFailed).isInstanceOf(PoolFailedException.class);
        assertThat(calls).as("calls after a force has failed").isEmpty();
    }

    @Test
    void forceThatFailsWhileTheFirstPagesAreWrittenFailsTheCheckpoint() {
        IOException failure = new IOException("device");
        assertThatThrownBy(() -> checkpointer.checkpoint(() -> {
                    assertThatThrownBy(() -> checkpointer.force(() -> Failures.<IOException>rethrow(failure)))
                            .isSameAs(failure);
                    return 0;
                }))
                .isInstanceOf(PoolFailedException.class);
        assertThat(calls).as("forces after one that has failed").isEmpty();
    }

    @Test
    void failedWriteIsNotFinalAndForcesNothing() throws IOException {
        IOException failure = new IOException("write");
        assertThatThrownBy(() -> checkpointer.checkpoint(() -> {
                    throw failure;
                }))
                .isSameAs(failure);
        assertThat(calls).isEmpty();
        assertThat(counters.checkpoints()).isZero();
        assertThat(checkpoint()).isEqualTo(200);
    }

    @Test
    void forceIsTriedAgainIfTheBuilderSaysSo() throws IOException {
        Checkpointer retrying = newCheckpointer(true);
        forcer = retrying;
        IOException failure = new IOException("device");
        onForce = () -> {
            throw failure;
        };
        update(0);
        assertThatThrownBy(() -> retrying.checkpoint(() -> 0)).isSameAs(failure);
        write(0);
        onForce = () -> {};
        assertThat(retrying.checkpoint(() -> 0)).isEqualTo(210);
        assertThat(calls).containsExactly("force", "force");
    }
}
