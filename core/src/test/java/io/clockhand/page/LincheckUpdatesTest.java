// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.io.MemoryPageStore;
import io.clockhand.io.PageStore;
import io.clockhand.policy.PoliciesForTests;
import io.clockhand.testing.Pools;
import io.clockhand.testing.Tier;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Options;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Pages are counters: three of them in two frames, without a flusher, so that misses write. A change that is lost, or
 * an image that overtakes a newer one, gives a wrong count. {@code -Dclockhand.lincheck.effort=5} runs 25 times as many
 * interleavings.
 */
class LincheckUpdatesTest {
    private static final int EFFORT = Integer.getInteger("clockhand.lincheck.effort", Tier.pick(1, 1, 3));

    /** The counts: the sequential specification. */
    public static final class Plain {
        private final byte[] counts = new byte[3];

        public int read(int page) {
            return counts[page];
        }

        public int increment(int page) {
            return ++counts[page];
        }

        public int flush() {
            return 0;
        }
    }

    /** The operations; the constructor makes a fresh pool for every run. */
    @Param(name = "page", gen = IntGen.class, conf = "0:2")
    public abstract static class Counters {
        private static final int PAGE_BYTES = 512;

        private final BufferPool pool;

        Counters(boolean writes) {
            try {
                pool = Pools.builder()
                        .pageBytes(PAGE_BYTES)
                        .frames(2)
                        .tuning(t -> t.flushThreads(0))
                        .exhaustedAfter(Duration.ofMinutes(10))
                        .waitTimeout(Duration.ofMinutes(10))
                        .build(PoliciesForTests.firstInFirstOut(2)); // so that one miss can throw any page out
                MemoryPageStore memory = new MemoryPageStore("counters", PAGE_BYTES);
                for (int page = 0; page < 3; page++) {
                    memory.write(page, ByteBuffer.allocate(PAGE_BYTES));
                }
                pool.open(0, writes ? memory : new Forgetful(memory));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Operation
        public int read(@Param(name = "page") int page) throws IOException {
            try (PageGuard guard = pool.fix(page)) {
                return guard.getByte(7);
            }
        }

        @Operation
        public int increment(@Param(name = "page") int page) throws IOException {
            try (WritablePage changed = pool.fixExclusive(page)) {
                changed.beginUpdate();
                byte count = (byte) (changed.getByte(7) + 1);
                changed.putByte(7, count);
                changed.endUnloggedUpdate();
                return count;
            }
        }

        @Operation
        public int flush() throws IOException {
            pool.flush();
            return 0;
        }
    }

    /** The real pool. */
    public static final class Pool extends Counters {
        public Pool() {
            super(true);
        }
    }

    /** A pool whose writes of page 1 are lost, which must fail. */
    public static final class ForgetfulPool extends Counters {
        public ForgetfulPool() {
            super(false);
        }
    }

    private record Forgetful(MemoryPageStore memory) implements PageStore {
        @Override
        public String name() {
            return memory.name();
        }

        @Override
        public int pageBytes() {
            return memory.pageBytes();
        }

        @Override
        public long pages() {
            return memory.pages();
        }

        @Override
        public void read(long page, ByteBuffer target) throws IOException {
            memory.read(page, target);
        }

        @Override
        public void write(long page, ByteBuffer source) throws IOException {
            if (page != 1) {
                memory.write(page, source);
            }
        }

        @Override
        public void truncate(long pages) throws IOException {
            memory.truncate(pages);
        }

        @Override
        public boolean tryOwn() {
            return memory.tryOwn();
        }

        @Override
        public void force() throws IOException {
            memory.force();
        }

        @Override
        public void close() {
            memory.close();
        }
    }

    private static <O extends Options<O, ?>> O small(O options) {
        return options.threads(2)
                .actorsPerThread(2)
                .actorsBefore(2)
                .actorsAfter(2)
                .sequentialSpecification(Plain.class);
    }

    @Test
    @Tag("ci")
    void countsAreRightUnderModelChecking() {
        small(new ModelCheckingOptions())
                .iterations(6 * EFFORT)
                .invocationsPerIteration(200 * EFFORT)
                .loopBound(1_000) // the first thread that waits fills a ring of 64 cells
                .check(Pool.class);
    }

    @Test
    void countsAreRightUnderStress() {
        small(new StressOptions())
                .iterations(Tier.pick(2, 6, 6) * EFFORT)
                .invocationsPerIteration(Tier.pick(150, 300, 300) * EFFORT)
                .check(Pool.class);
    }

    @Test
    @Tag("ci")
    void lostWriteIsFound() {
        StressOptions options = small(new StressOptions()).iterations(20).invocationsPerIteration(100);

        assertThatThrownBy(() -> options.check(ForgetfulPool.class)).isInstanceOf(LincheckAssertionError.class);
    }
}
