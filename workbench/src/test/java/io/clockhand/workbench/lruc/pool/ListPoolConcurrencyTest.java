// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc.pool;

import static io.clockhand.workbench.lruc.pool.ScriptedStore.PAGE_BYTES;
import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.io.PageStore;
import io.clockhand.workbench.lruc.pool.Scheme.Flush;
import io.clockhand.workbench.pages.device.DeviceProfile;
import io.clockhand.workbench.pages.device.SimulatedSsd;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Many threads in a small pool, with each scheme. */
class ListPoolConcurrencyTest {
    private static final int PAGES = 200;
    private static final int THREADS = 8;
    private static final int USES = 3000;
    private static final String FEW_SLOTS = "war with three slots";
    private static final long MICRO = 1000;

    private final PageStore pages = ScriptedStore.filled(PAGES);
    private final AtomicLongArray changes = new AtomicLongArray(PAGES);
    private final long seed = ThreadLocalRandom.current().nextLong();

    /** Reads of 20 µs and writes of 100. */
    private SimulatedSsd device(PageStore store) {
        return new SimulatedSsd(store, new DeviceProfile(16, 20 * MICRO, 100 * MICRO, 0.1), seed);
    }

    static Stream<String> schemes() {
        return Stream.concat(Scheme.names().stream(), Stream.of(FEW_SLOTS));
    }

    private static Scheme quick(String name, int frames) {
        Scheme scheme = name.equals(FEW_SLOTS)
                ? new Scheme(name, 5, true, 3, Flush.TAIL, false, false, 1, 1, 2)
                : Scheme.of(name, frames, 1);
        return scheme.flushing(frames / 4, TimeUnit.MILLISECONDS.toNanos(1));
    }

    /** One thread's work: a third of the uses are changes; pages with low numbers are used more often. */
    private void use(ComparedPool pool, int thread, boolean failuresExpected) throws IOException {
        SplittableRandom random = new SplittableRandom(seed + thread);
        ComparedPool.PageUser user = pool.newUser();
        for (int i = 0; i < USES; i++) {
            int page = random.nextInt(1 + random.nextInt(PAGES));
            boolean change = random.nextInt(3) == 0;
            try {
                user.use(page, change);
                changes.addAndGet(page, change ? 1 : 0);
            } catch (IOException e) {
                if (!failuresExpected || !e.getMessage().contains("page ")) {
                    throw e;
                }
            }
        }
    }

    private void useByAll(ComparedPool pool, boolean failuresExpected) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        List<Future<?>> futures = new ArrayList<>();
        for (int t = 0; t < THREADS; t++) {
            int thread = t;
            futures.add(threads.submit(() -> {
                use(pool, thread, failuresExpected);
                return null;
            }));
        }
        threads.shutdown();
        for (Future<?> future : futures) {
            future.get();
        }
    }

    private void checkChanges() {
        for (int page = 0; page < PAGES; page++) {
            assertThat(ScriptedStore.changes(pages, page))
                    .as("page %d, seed %d", page, seed)
                    .isEqualTo(changes.get(page));
        }
    }

    @ParameterizedTest
    @MethodSource("schemes")
    void noChangeIsLost(String name) throws Exception {
        SimulatedSsd device = device(pages);
        PoolFigures figures;
        try (ListPool pool = new ListPool(device, 40, quick(name, 40))) {
            useByAll(pool, false);
            figures = pool.figures();
        }

        checkChanges();
        assertThat(figures.misses()).isEqualTo(device.figures().reads().count());
        assertThat(figures.readStalls()).isBetween(0L, figures.misses());
        assertThat(figures.misses()).isGreaterThan(PAGES - 40);
    }

    @ParameterizedTest
    @MethodSource("schemes")
    void fewerFramesThanThreadsAreEnough(String name) throws Exception {
        try (ListPool pool = new ListPool(device(pages), 5, quick(name, 5))) {
            useByAll(pool, false);
        }
        checkChanges();
    }

    @ParameterizedTest
    @MethodSource("schemes")
    void failuresReachCallersAndLoseNothing(String name) throws Exception {
        Flaky flaky = new Flaky();
        try (ListPool pool = new ListPool(device(flaky.store), 40, quick(name, 40))) {
            useByAll(pool, true);
            flaky.fails = false;
        }
        assertThat(flaky.failures.get(0)).isPositive();
        checkChanges();
    }

    /** A store of which one call in sixteen fails. */
    private final class Flaky {
        private final AtomicLongArray failures = new AtomicLongArray(1);
        private volatile boolean fails = true;

        private final PageStore store = new Forwarding() {
            @Override
            public void read(long page, ByteBuffer target) throws IOException {
                maybeFail();
                pages.read(page, target);
            }

            @Override
            public void write(long page, ByteBuffer source) throws IOException {
                maybeFail();
                pages.write(page, source);
            }
        };

        private void maybeFail() throws IOException {
            if (fails && ThreadLocalRandom.current().nextInt(16) == 0) {
                failures.incrementAndGet(0);
                throw new IOException("flaky");
            }
        }
    }

    /** All that is not read or written. */
    private abstract class Forwarding implements PageStore {
        @Override
        public String name() {
            return pages.name();
        }

        @Override
        public int pageBytes() {
            return PAGE_BYTES;
        }

        @Override
        public long pages() throws IOException {
            return pages.pages();
        }

        @Override
        public void truncate(long count) throws IOException {
            pages.truncate(count);
        }

        @Override
        public boolean tryOwn() {
            return pages.tryOwn();
        }

        @Override
        public void force() throws IOException {
            pages.force();
        }

        @Override
        public void close() throws IOException {
            pages.close();
        }
    }
}
