// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.testing.Tier;
import io.clockhand.testing.Workers;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PageTableTest {
    /** The tables, each with the ids that its frames are bound to. */
    enum Kind {
        CHAINED {
            @Override
            PageTable create(AtomicLongArray ids) {
                return new ChainedPageTable(ids.length(), ids::get);
            }
        },
        ARRAY {
            @Override
            PageTable create(AtomicLongArray ids) {
                return new ArrayPageTable(ids.length(), ids::get, 1 << 20);
            }
        },
        /** Chunks of two pages, and space for a few of them only. */
        ARRAY_WITHOUT_SPACE {
            @Override
            PageTable create(AtomicLongArray ids) {
                return new ArrayPageTable(ids.length(), ids::get, 14_000, 1, 4);
            }
        },
        NON_BLOCKING {
            @Override
            PageTable create(AtomicLongArray ids) {
                return NonBlockingTables.pageTable(ids.length());
            }
        };

        abstract PageTable create(AtomicLongArray ids);
    }

    @RegisterExtension
    private final Workers workers = new Workers();

    @ParameterizedTest
    @EnumSource
    void tableAgreesWithAMap(Kind kind) {
        int frames = 50;
        AtomicLongArray ids = new AtomicLongArray(frames);
        PageTable table = kind.create(ids);
        Map<Long, Integer> model = new HashMap<>();
        Deque<Integer> free = new ArrayDeque<>();
        for (int frame = 0; frame < frames; frame++) {
            free.addLast(frame);
        }
        Random random = new Random(1);
        int steps = Tier.pick(20_000, 100_000, 2_000_000);
        for (int step = 0; step < steps; step++) {
            long id = random.nextInt(100) * (step % 2 == 0 ? 1L : 1L << 43);
            Integer mapped = model.get(id);
            expect("find", table.find(id), mapped == null ? PageTable.NONE : mapped);
            if (mapped != null && random.nextBoolean()) {
                expect("remove from another frame", table.remove(id, (mapped + 1) % frames), false);
                expect("remove", table.remove(id, mapped), true);
                expect("remove again", table.remove(id, mapped), false);
                model.remove(id);
                free.addLast(mapped);
            } else if (!free.isEmpty()) {
                int frame = free.getLast();
                ids.set(frame, id);
                int before = table.putIfAbsent(id, frame);
                expect("putIfAbsent", before, mapped == null ? PageTable.NONE : mapped);
                if (mapped == null) {
                    model.put(id, frame);
                    free.removeLast();
                } else {
                    ids.set(frame, -1);
                }
            }
            if (step < 1_000 || step % 100 == 0) { // some tables count their pages
                expect("size", table.size(), model.size());
            }
        }
    }

    /** Faster than an assertion, of which there would be millions. */
    private static void expect(String what, Object actual, Object expected) {
        if (!actual.equals(expected)) {
            throw new AssertionError(what + " returns " + actual + ", but " + expected + " was expected");
        }
    }

    /**
     * Each thread maps a few ids to its own frames again and again; the ids share chains. No id may be mapped to the
     * frames of two threads, and the thread that mapped an id must find it.
     */
    @ParameterizedTest
    @EnumSource
    void idIsMappedOnceWhileFramesAreReusedConcurrently(Kind kind) {
        int threads = 4;
        int framesEach = 3;
        int pages = 8;
        AtomicLongArray ids = new AtomicLongArray(threads * framesEach);
        for (int frame = 0; frame < ids.length(); frame++) {
            ids.set(frame, -1);
        }
        PageTable table = kind.create(ids);
        AtomicIntegerArray owners = new AtomicIntegerArray(pages);
        List<Workers.Worker<Void>> running = new ArrayList<>();
        for (int thread = 0; thread < threads; thread++) {
            int number = thread;
            running.add(workers.run(() -> churn(table, ids, owners, number, framesEach)));
        }
        running.forEach(Workers.Worker::result);
        assertThat(table.size()).isZero();
    }

    private static void churn(PageTable table, AtomicLongArray ids, AtomicIntegerArray owners, int thread, int frames) {
        Random random = new Random(thread);
        int attempts = Tier.pick(40_000, 200_000, 10_000_000);
        for (int attempt = 0; attempt < attempts; attempt++) {
            int frame = thread * frames + random.nextInt(frames);
            int page = random.nextInt(owners.length());
            ids.set(frame, page);
            int before = table.putIfAbsent(page, frame);
            if (before == PageTable.NONE) {
                expect("the number of other owners of page " + page, owners.getAndIncrement(page), 0);
                expect("find", table.find(page), frame);
                expect("putIfAbsent", table.putIfAbsent(page, frame), frame);
                owners.getAndDecrement(page);
                expect("remove", table.remove(page, frame), true);
            } else if (before / frames == thread) {
                throw new AssertionError("page " + page + " is still mapped to frame " + before + " of this thread");
            }
            ids.set(frame, -1);
        }
    }
}
