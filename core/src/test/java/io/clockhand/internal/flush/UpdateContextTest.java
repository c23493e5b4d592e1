// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.flush;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.testing.Workers;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Concurrent updates of a page that begin and end, and a checkpoint that waits for those that are pending. */
class UpdateContextTest {
    private static final long SINCE = 100;

    @RegisterExtension
    private final Workers workers = new Workers();

    private final UpdateContext context = new UpdateContext(0, SINCE);

    @Test
    void firstLsnIsTheLeastOfTheCountedUpdatesAndIsKnownWhenAllHaveEnded() {
        assertThat(context.oldest()).as("before any update").isEqualTo(SINCE);
        for (int update = 0; update < 3; update++) {
            assertThat(context.tryCount()).isTrue();
        }
        context.end(130);
        assertThat(context.isDirty()).isTrue();
        assertThat(context.oldest()).as("while two updates are pending").isEqualTo(SINCE);
        context.end(110);
        assertThat(context.oldest()).as("while one update is pending").isEqualTo(SINCE);
        context.end(120);
        assertThat(context.pending()).as("pending updates in the end").isZero();
        assertThat(context.oldest()).as("when all updates have ended").isEqualTo(110);
    }

    @Test
    void updateAfterOneWhoseLsnIsKnownIsNotCounted() {
        assertThat(context.tryCount()).isTrue();
        context.end(110);
        assertThat(context.tryCount()).as("counted though the context is dirty").isFalse();
        assertThat(context.pending()).isZero();
        assertThat(context.oldest()).isEqualTo(110);
    }

    /** Not 0, where there may be no log; and not later, since another change of the update may have a record. */
    @Test
    void updateWithoutARecordCountsAsIfItsRecordWereTheFirstPossible() {
        context.tryCount();
        context.tryCount();
        context.end(0);
        assertThat(context.isDirty()).isTrue();
        context.end(110);
        assertThat(context.oldest()).isEqualTo(SINCE);
        assertThat(context.tryCount()).as("counted though the context is dirty").isFalse();
    }

    @Test
    void updateAtTheBeginningOfALogThatBeginsAtZeroIsNotPassed() {
        UpdateContext first = new UpdateContext(0, 0);
        first.tryCount();
        first.end(0);
        assertThat(first.tryCount()).isFalse();
        assertThat(first.oldest()).isZero();
    }

    @Test
    void cancelledUpdateLeavesNoLsn() {
        context.tryCount();
        context.cancel();
        assertThat(context.isDirty()).as("dirty after a cancelled update").isFalse();
        assertThat(context.pending()).isZero();
        assertThat(context.oldest()).isEqualTo(SINCE);
    }

    @Test
    void checkpointGivesUpAtItsDeadline() {
        context.tryCount();
        assertThat(context.awaitOldest(System.nanoTime())).isEqualTo(SINCE);
    }

    /** The deadline lies so late that only the update that ends can end the wait. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void lastPendingUpdateWakesTheCheckpoint(boolean cancels) {
        context.tryCount();
        context.tryCount();
        Workers.Worker<Long> checkpoint =
                workers.start(() -> context.awaitOldest(System.nanoTime() + TimeUnit.HOURS.toNanos(1)));
        checkpoint.awaitParked();
        context.end(120);
        assertThat(checkpoint.isDone())
                .as("the checkpoint goes on while an update is pending")
                .isFalse();
        if (cancels) {
            context.cancel();
        } else {
            context.end(110);
        }
        Workers.await(checkpoint::isDone, "the checkpoint waits still, though the last update has ended,");
        assertThat(checkpoint.result()).isEqualTo(cancels ? 120 : 110);
    }
}
