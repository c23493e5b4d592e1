// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import static io.clockhand.page.SmallPools.impatient;
import static io.clockhand.page.SmallPools.small;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.PageId;
import io.clockhand.PoolFailedException;
import io.clockhand.testing.Workers;
import io.clockhand.testing.Workers.Worker;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * HotSpot has dropped frames, and says so in the message of the error: what they owned is lost, so the pool fails. In
 * these tests nothing is lost, but a pool cannot know that.
 */
class DroppedFramesTest {
    private final OutOfMemoryError error =
            new OutOfMemoryError("Java heap space: failed reallocation of scalar replaced objects");
    private final StampedStore store = new StampedStore(20) {
        @Override
        public void extend(long pages) throws IOException {
            try {
                beforeExtend.run();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            super.extend(pages);
        }
    };
    /** May wait. */
    private interface Step {
        void run() throws InterruptedException;
    }

    @RegisterExtension
    private final Workers workers = new Workers();

    private volatile Step beforeExtend = () -> {};
    private final BufferPool pool = small().frames(8).build();

    @AfterEach
    void close() throws IOException {
        beforeExtend = () -> {};
        store.beforeTruncate(pages -> StampedStore.Outcome.GOOD); // the close gives reserved space back
        pool.closeWithoutWriting();
        assertThat(store.isClosed()).as("whether the store is closed").isTrue();
    }

    private void expectThrown(ThrowingCallable call) {
        assertThatThrownBy(call).isSameAs(error);
        expectFailed();
    }

    private void expectFailed() {
        long absent = PageId.of(0, 15); // a hit is refused a moment later
        assertThatThrownBy(() -> pool.fix(absent).close(), "a fix after frames were dropped")
                .isInstanceOf(PoolFailedException.class)
                .hasCause(error);
    }

    @Test
    void missFailsThePool() throws IOException {
        PagedFile file = pool.open(0, store);
        store.beforeRead(page -> {
            throw error;
        });
        expectThrown(() -> pool.fix(file.id(3)));
    }

    @Test
    void creationFailsThePool() throws IOException {
        PagedFile file = pool.open(0, store);
        beforeExtend = () -> {
            throw error;
        };
        expectThrown(file::create);
    }

    /** {@return a thread that is creating a page, and fails when it may go on} */
    private Worker<?> creationThatFails(PagedFile file, CountDownLatch end) {
        beforeExtend = () -> {
            end.await();
            throw error;
        };
        Worker<?> creation = workers.run(file::create);
        creation.awaitParked();
        return creation;
    }

    @Test
    void failedPoolIsClosedThoughACreationNeverEnds() throws IOException {
        BufferPool impatient = impatient().build();
        PagedFile file = impatient.open(0, store);
        CountDownLatch end = new CountDownLatch(1);
        Worker<?> creation = creationThatFails(file, end);
        impatient.fail(error);
        assertThatCode(impatient::closeWithoutWriting)
                .as("the close of a failed pool in which a creation does not end")
                .doesNotThrowAnyException();

        end.countDown();
        assertThat(creation.failure()).isSameAs(error);
    }

    @Test
    void failureEndsAWaitForACreation() throws IOException {
        PagedFile file = pool.open(0, store);
        CountDownLatch end = new CountDownLatch(1);
        Worker<?> creation = creationThatFails(file, end);
        Worker<?> truncation = workers.run(() -> file.truncate(2));
        truncation.awaitParked();

        pool.fail(error);

        assertThat(truncation.failure()).isInstanceOf(PoolFailedException.class);
        end.countDown();
        assertThat(creation.failure()).isSameAs(error);
    }

    @Test
    void truncationFailsThePool() throws IOException {
        PagedFile file = pool.open(0, store);
        store.beforeTruncate(pages -> {
            throw error;
        });
        expectThrown(() -> file.truncate(2));
    }

    @Test
    void prefetchFailsThePool() throws IOException {
        PagedFile file = pool.open(0, store);
        store.beforeRead(page -> {
            throw error;
        });
        assertThat(file.prefetch(0, 2).await(Workers.LIMIT)).isTrue();
        expectFailed();
    }

    @Test
    void flusherFailsThePool() throws IOException {
        PagedFile file = pool.open(0, store);
        store.beforeWrite(page -> {
            throw error;
        });
        for (int page = 0; page < 8; page++) {
            try (WritablePage writable = pool.fixExclusive(file.id(page))) {
                writable.beginUpdate();
                writable.putLong(0, page);
                writable.endUnloggedUpdate();
            } catch (PoolFailedException | OutOfMemoryError e) { // the flusher was faster; or this thread helped it
                break;
            }
        }
        Workers.await(this::hasFailed, "the flusher does not fail the pool");
        expectFailed();
    }

    private boolean hasFailed() {
        return pool.pages().framePool().failure().hasFailed();
    }

    @Test
    void otherErrorForWantOfMemoryFailsNothing() throws IOException {
        PagedFile file = pool.open(0, store);
        OutOfMemoryError ordinary = new OutOfMemoryError("Java heap space");
        store.beforeRead(page -> {
            throw ordinary;
        });
        assertThatThrownBy(() -> pool.fix(file.id(3))).isSameAs(ordinary);

        store.beforeRead(page -> StampedStore.Outcome.GOOD);
        assertThatCode(() -> pool.fix(file.id(3)).close())
                .as("a fix after a fix without memory")
                .doesNotThrowAnyException();
    }
}
