// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.LongWaitHandler;
import io.clockhand.NoSuchPageException;
import io.clockhand.PoolFailedException;
import io.clockhand.WaitTimeoutException;
import io.clockhand.internal.pool.PoolOptions;
import io.clockhand.internal.table.PageTable;
import io.clockhand.policy.Policies;
import io.clockhand.testing.Gate;
import io.clockhand.testing.Workers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Page tables that fail: no frame is free while its page is mapped, and no thread looks a page up for ever. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // a loop without end is not interrupted
class PagePoolFailuresTest {
    private static final int FRAMES = 2;
    /** Of pools in which a wait must end by its time. */
    private static final Duration SHORT = Duration.ofMillis(20);
    /** Longer than any test: a thread whose wait only the time would end is stuck. */
    private static final Duration LONG = Duration.ofHours(1);

    @RegisterExtension
    private final Workers workers = new Workers();

    private final FaultyTable table = new FaultyTable();
    private final Pages pages = new Pages();
    private final PagePool pool = pool(SHORT);

    private PagePool pool(Duration longestWait) {
        return new PagePool(
                new PoolOptions(
                        "",
                        FRAMES,
                        FRAMES,
                        true,
                        longestWait,
                        "",
                        IllegalStateException::new,
                        longestWait,
                        LongWaitHandler.GIVE_UP::onLongWait),
                512,
                Policies.create("lru", FRAMES),
                (frames, states) -> table,
                pages,
                true,
                false);
    }

    private static void pinAndUnpin(PagePool pool, long id) throws IOException {
        pool.unpin(pool.pin(id));
    }

    private void pinAndUnpin(long id) throws IOException {
        pinAndUnpin(pool, id);
    }

    private void fillWithPages1And2() throws IOException {
        pinAndUnpin(1);
        pinAndUnpin(2);
    }

    private void expectWhole() throws IOException {
        expectWhole(pool);
    }

    private static void expectWhole(PagePool pool) throws IOException {
        for (long id = 0; id < 10; id++) {
            pinAndUnpin(pool, id);
        }
        assertThat(pool.pinned()).isZero();
        pool.checkIntegrity();
    }

    /** A thread that sought a page of the same number when the file was truncated finds that it does not exist. */
    @Test
    void creationWaitsForAThreadThatHasMappedAFormerPageOfThatNumber() throws IOException {
        PagePool patient = pool(LONG);
        Gate gate = new Gate();
        pages.onCheck = id -> {
            gate.pass();
            throw new NoSuchPageException("there is no page " + id);
        };
        Workers.Worker<Void> late = workers.run(() -> pinAndUnpin(patient, 3));
        gate.awaitReached();
        Workers.Worker<Integer> creator = workers.start(() -> patient.create(3, 0));
        creator.awaitParked();
        gate.open();
        assertThat(late.failure()).isInstanceOf(NoSuchPageException.class);
        int frame = creator.result();
        assertThat(patient.memory().getLong(patient.buffer(frame), 0)).isZero();
        patient.unpin(frame);
        pages.onCheck = id -> {};
        expectWhole(patient);
    }

    @Test
    void victimWhosePageCannotBeUnmappedIsNotUsedForAnotherPage() throws IOException {
        fillWithPages1And2();
        table.fault = Fault.REMOVE_FAILS;

        assertThatThrownBy(() -> pool.pin(3)).hasMessage("REMOVE_FAILS");
        assertThat(table.find(1)).isNotEqualTo(PageTable.NONE);
        expectFailed();
    }

    private void expectFailed() {
        table.fault = Fault.NONE;
        assertThatThrownBy(() -> pool.pin(1)).isInstanceOf(PoolFailedException.class);
        assertThatThrownBy(() -> pool.share(3, pool.newRef())).isInstanceOf(PoolFailedException.class);
        assertThatThrownBy(() -> pool.invalidate(1, 1, false)).isInstanceOf(PoolFailedException.class);
        assertThat(pool.isPlain()).as("a hit is as quick as before").isFalse();
    }

    @Test
    void pageWhoseLatchIsHeldWithoutAPinIsInvalidatedWhenItIsReleased() throws IOException {
        int frame = pool.pin(1);
        assertThat(pool.latches().acquireExclusive(frame, LONG.toNanos())).isTrue();
        pool.unpin(frame);

        assertThatThrownBy(() -> pool.invalidate(1, 1, false))
                .isInstanceOf(WaitTimeoutException.class)
                .hasMessageContaining("the users of page 1 of the test");

        pool.latches().releaseExclusive(frame);
        pool.invalidate(1, 1, false);
        expectWhole();
    }

    @Test
    void pageThatIsInvalidatedAndCannotBeUnmappedIsNotUsedForAnotherPage() throws IOException {
        fillWithPages1And2();
        table.fault = Fault.REMOVE_FAILS;

        assertThatThrownBy(() -> pool.invalidate(1, 1, false)).hasMessage("REMOVE_FAILS");

        expectFailed();
    }

    @Test
    void missThatWaitsForAnyFrameIsWokenByTheFailure() throws IOException {
        PagePool patient = pool(LONG);
        patient.pin(1);
        patient.pin(2);
        Workers.Worker<Integer> miss = workers.start(() -> patient.pin(3));
        miss.awaitParked();
        OutOfMemoryError error = new OutOfMemoryError("in the middle of a step");

        patient.framePool().failure().fail(error);

        assertThat(miss.failure()).isInstanceOf(PoolFailedException.class).hasCause(error);
    }

    @Test
    void victimWhosePageWasUnmappedByARemovalThatFailsIsNotUsedForAnotherPage() throws IOException {
        fillWithPages1And2();
        table.fault = Fault.REMOVE_FAILS_AFTERWARDS;

        assertThatThrownBy(() -> pool.pin(3)).hasMessage("REMOVE_FAILS_AFTERWARDS");

        expectFailed();
    }

    @Test
    void pageThatWasMappedByAnInsertionThatFailsIsUnmapped() throws IOException {
        table.fault = Fault.PUT_FAILS_AFTERWARDS;

        assertThatThrownBy(() -> pool.pin(3)).hasMessage("PUT_FAILS_AFTERWARDS");

        assertThat(table.find(3)).isEqualTo(PageTable.NONE);
        table.fault = Fault.NONE;
        expectWhole();
    }

    @Test
    void pageThatAnotherThreadHasLoadedStaysThoughItsInsertionFails() throws IOException {
        PagePool patient = pool(LONG);
        table.fault = Fault.PUT_FAILS_AFTERWARDS;
        table.afterPut = () -> {
            table.fault = Fault.NONE;
            workers.run(() -> pinAndUnpin(patient, 3)).result();
        };

        int frame = patient.pin(3);

        assertThat(table.find(3)).isEqualTo(frame);
        patient.unpin(frame);
        assertThat(pages.reads).isEqualTo(2);
        expectWhole(patient);
    }

    @Test
    void poolWhosePageCouldNeitherBeReadNorUnmappedHasFailed() {
        pages.fails = true;
        table.fault = Fault.REMOVE_FAILS;

        assertThatThrownBy(() -> pool.pin(3)).hasMessage("REMOVE_FAILS");

        expectFailed();
    }

    /** As a table does that maps a page to a frame which another thread has given up. */
    @Test
    void threadThatFindsAPageInAFreeFrameAgainAndAgainGivesUp() {
        pages.fails = true;
        table.fault = Fault.REMOVE_DOES_NOTHING;
        assertThatThrownBy(() -> pool.pin(3)).hasMessage("injected");

        assertThatThrownBy(() -> pool.pin(3))
                .isInstanceOf(WaitTimeoutException.class)
                .hasMessageContaining("page 3 of the test to leave frame 0, which cannot be pinned");
        assertThatThrownBy(() -> pool.share(3, pool.newRef()))
                .isInstanceOf(WaitTimeoutException.class)
                .hasMessageContaining("page 3 of the test to leave frame 0, which cannot be pinned");
    }

    private enum Fault {
        NONE,
        PUT_FAILS_AFTERWARDS,
        REMOVE_FAILS,
        REMOVE_FAILS_AFTERWARDS,
        REMOVE_DOES_NOTHING
    }

    private static final class FaultyTable implements PageTable {
        private final Map<Long, Integer> frames = new ConcurrentHashMap<>();
        private volatile Fault fault = Fault.NONE;
        private Runnable afterPut = () -> {};

        private void failIf(Fault now) {
            if (fault == now) {
                throw new OutOfMemoryError(now.name());
            }
        }

        @Override
        public int find(long id) {
            return frames.getOrDefault(id, NONE);
        }

        @Override
        public int putIfAbsent(long id, int frame) {
            Integer before = frames.putIfAbsent(id, frame);
            if (fault == Fault.PUT_FAILS_AFTERWARDS) {
                afterPut.run();
                throw new OutOfMemoryError(Fault.PUT_FAILS_AFTERWARDS.name());
            }
            return before == null ? NONE : before;
        }

        @Override
        public boolean remove(long id, int frame) {
            failIf(Fault.REMOVE_FAILS);
            boolean removed = fault != Fault.REMOVE_DOES_NOTHING && frames.remove(id, frame);
            failIf(Fault.REMOVE_FAILS_AFTERWARDS);
            return removed;
        }

        @Override
        public int size() {
            return frames.size();
        }
    }

    private static final class Pages extends StampedPages {
        private volatile boolean fails;
        private volatile int reads;
        private volatile LongConsumer onCheck = id -> {};
        private final ThreadLocal<Boolean> checked = ThreadLocal.withInitial(() -> false);

        /** Once before the page is mapped, then again. */
        @Override
        public void check(long id) {
            if (checked.get()) {
                onCheck.accept(id);
            }
            checked.set(true);
        }

        @Override
        public synchronized void read(long id, ByteBuffer target) throws IOException {
            reads++;
            if (fails) {
                throw new IOException("injected");
            }
            super.read(id, target);
        }
    }
}
