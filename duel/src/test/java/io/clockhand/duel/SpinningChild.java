// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.duel;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A child of the tests: two threads that count as fast as they can. */
final class SpinningChild {
    static final int THREADS = 2;
    /** Operations of a thread between two stores, so that a slice holds a known amount of work. */
    private static final int BATCH = 1000;

    private SpinningChild() {}

    /** Arguments: the file of slices, and what to do: {@code spin}, {@code fail}, {@code die} or {@code hang}. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        SliceClock clock = SliceClock.open(Path.of(arguments[0]));
        switch (arguments[1]) {
            case "fail" -> System.exit(3);
            case "hang" -> Thread.currentThread().join();
            default -> spin(clock, arguments[1].equals("die"));
        }
    }

    private static void spin(SliceClock clock, boolean dies) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < THREADS; t++) {
            SliceClock.Counter counter = clock.counter(t);
            Thread thread = new Thread(() -> {
                long sum = 0;
                while (!clock.isOver()) {
                    for (int i = 0; i < BATCH; i++) {
                        sum += sum * 31 + i;
                    }
                    counter.add(sum == 1 ? 2 : 1);
                    if (dies && clock.slice() >= 2) {
                        System.exit(4);
                    }
                }
                if (dies) { // on a machine so slow that it has not run in any slice
                    System.exit(4);
                }
            });
            threads.add(thread);
            thread.start();
        }
        clock.ready();
        for (Thread thread : threads) {
            thread.join();
        }
    }
}
