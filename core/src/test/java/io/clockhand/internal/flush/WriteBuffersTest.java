// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.flush;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.internal.pool.PoolOptions;
import io.clockhand.testing.Workers;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Batches that threads take, wait for, and give back. */
class WriteBuffersTest {
    private static final Duration NEVER = Duration.ofDays(1);

    @RegisterExtension
    private final Workers workers = new Workers();

    private static WriteBuffers buffers(int count) {
        PoolOptions options =
                new PoolOptions("", 1, 1, true, NEVER, "", IllegalStateException::new, NEVER, (what, waited) -> {});
        return new WriteBuffers(options, 512, WriteBuffers.SMALL, count);
    }

    @ParameterizedTest
    @CsvSource({
        "512, 64, 4",
        "4096, 64, 4",
        "16384, 64, 4",
        "32768, 32, 2",
        "65536, 16, 1",
    })
    void batchesHoldAPageOfAnySizeAndNoMoreThanTheirBounds(int pageBytes, int large, int small) {
        assertThat(WriteBuffers.LARGE.pages(pageBytes)).isEqualTo(large);
        assertThat(WriteBuffers.SMALL.pages(pageBytes)).isEqualTo(small);
    }

    @Test
    void batchHasAsManyPlacesAsItsBuffer() {
        WriteBatch batch = buffers(1).take();
        assertThat(batch.pages()).isEqualTo(4);
        assertThat(batch.wanted).hasSize(4);
        assertThat(batch.polled).hasSize(4);
        assertThat(batch.numbers).hasSize(4);
        assertThat(batch.bytes(0, 4).remaining()).isEqualTo(4 * 512);
        assertThat(batch.bytes(3, 4).remaining()).isEqualTo(512);
    }

    @Test
    void threadsThatFindNoBatchGetThoseThatAreGivenBack() {
        WriteBuffers buffers = buffers(2);
        WriteBatch one = buffers.take();
        WriteBatch other = buffers.take();
        assertThat(other).isNotSameAs(one);
        assertThat(buffers.tryTake()).as("a third of two batches").isNull();
        Workers.Worker<WriteBatch> first = workers.start(buffers::take);
        first.awaitParked();
        Workers.Worker<WriteBatch> second = workers.start(buffers::take);
        second.awaitParked();
        buffers.giveBack(one);
        Workers.await(first::isDone, "the thread that waits first does not get the batch that was given back");
        assertThat(first.result()).isSameAs(one);
        buffers.giveBack(other);
        Workers.await(second::isDone, "the thread that waits second does not get the batch that was given back");
        assertThat(second.result()).isSameAs(other);
        assertThat(buffers.tryTake()).isNull();
        buffers.giveBack(one);
        buffers.giveBack(other);
        assertThat(buffers.tryTake()).as("a batch, when all were given back").isNotNull();
        assertThat(buffers.tryTake()).as("a second batch").isNotNull();
        assertThat(buffers.tryTake()).as("a third of two batches").isNull();
    }
}
