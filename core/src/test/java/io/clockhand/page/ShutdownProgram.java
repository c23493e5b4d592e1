// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import io.clockhand.io.FileOption;
import io.clockhand.testing.Pools;
import java.io.IOException;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLongArray;

/** A program whose daemon threads change pages until its shutdown hook has closed the pool. {@code file}. */
final class ShutdownProgram {
    static final int PAGES = 16;
    static final int STATUS = 3;
    private static final int THREADS = 3;
    private static final int UPDATES = 2_000;

    private ShutdownProgram() {}

    private static void work(BufferPool pool, PagedFile file, AtomicLongArray ended, CountDownLatch updates, int seed) {
        SplittableRandom random = new SplittableRandom(seed);
        try {
            while (true) {
                int number = random.nextInt(PAGES);
                long value;
                try (WritablePage page = pool.fixExclusive(file.id(number))) {
                    page.beginUpdate();
                    value = page.getLong(0) + 1;
                    page.putLong(0, value);
                    page.endUnloggedUpdate();
                }
                ended.accumulateAndGet(number, value, Math::max);
                updates.countDown();
            }
        } catch (IllegalStateException e) {
            // the pool is closed
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    public static void main(String[] args) throws Exception {
        BufferPool pool = Pools.builder().pageBytes(512).frames(8).build();
        PagedFile file = pool.open(1, Path.of(args[0]), FileOption.CREATE);
        for (int i = 0; i < PAGES; i++) {
            file.create().close();
        }
        AtomicLongArray ended = new AtomicLongArray(PAGES);
        CountDownLatch updates = new CountDownLatch(UPDATES);
        for (int i = 0; i < THREADS; i++) {
            int seed = i;
            Thread thread = new Thread(() -> work(pool, file, ended, updates, seed));
            thread.setDaemon(true);
            thread.start();
        }
        updates.await();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            try {
                pool.close();
            } catch (IllegalStateException e) { // a thread has had its guard for a second
                System.out.println(e.getMessage());
            } catch (IOException e) {
                throw new AssertionError(e);
            }
            System.out.println("closed");
            for (int i = 0; i < PAGES; i++) {
                System.out.println("page " + i + " has " + ended.get(i));
            }
        }));
        System.exit(STATUS);
    }
}
