// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.select.driver;

import io.clockhand.workbench.derby.driver.CacheProbe;
import io.clockhand.workbench.derby.driver.Database;
import io.clockhand.workbench.derby.driver.Interval;
import io.clockhand.workbench.derby.driver.Observer;
import io.clockhand.workbench.derby.driver.Patience;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;

/** One run, in a child JVM: the pool filled, the warm-up, the measured interval. */
final class Trial {
    /** Fewer rows than lie on a page. */
    private static final int STRIDE = 8;
    /** While the pool is filled, its size is checked after each of these numbers of selects. */
    private static final int CHECK_EVERY = 1000;

    private final RunOrder order;
    private final DataSource database;

    Trial(RunOrder order) {
        this.order = order;
        this.database = Database.open(Path.of(order.database()));
    }

    RunAnswer run() throws Exception {
        database.getConnection().close();
        CacheProbe probe = CacheProbe.of(order.cache());
        Terminal.Result filling = fill(probe);
        try (Observer observer = new Observer(probe, order.recording())) {
            List<Terminal.Result> results = new ArrayList<>(List.of(filling));
            results.addAll(measure(observer));
            RunAnswer answer = new RunAnswer(
                    results.stream().mapToLong(Terminal.Result::selects).sum(),
                    order.seconds(),
                    results.stream().mapToLong(Terminal.Result::wrongRows).sum(),
                    results.stream()
                            .map(Terminal.Result::firstWrong)
                            .filter(Objects::nonNull)
                            .findFirst()
                            .orElse(null),
                    observer.maxResidentPages());
            Database.shutDown(Path.of(order.database()));
            return answer;
        }
    }

    /** Reads one page after the other until the pool is full, so that the warm-up need not fill it. */
    private Terminal.Result fill(CacheProbe probe) throws Exception {
        try (Selector selector = new Selector(database, order.rows())) {
            for (int i = 0, key = 1; key <= order.rows().count(); i++, key += STRIDE) {
                if (i % CHECK_EVERY == 0
                        && probe.residentPages() >= order.cache().pages()) {
                    break;
                }
                selector.select(key);
            }
            selector.commit();
            return new Terminal.Result(0, selector.wrongRows(), selector.firstWrong());
        }
    }

    private List<Terminal.Result> measure(Observer observer) throws Exception {
        Interval interval = order.slices() == null
                ? Interval.timed(order.warmupSeconds(), order.seconds())
                : Interval.sliced(order.slices());
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            List<Future<Terminal.Result>> terminals = new ArrayList<>();
            for (int i = 0; i < order.terminals(); i++) {
                SplittableRandom random = new SplittableRandom(order.seed() * 1_000_003 + i);
                terminals.add(threads.submit(
                        new Terminal(database, order.rows(), order.keys(), random, interval, interval.counter(i))));
            }
            interval.follow(observer);
            return new Patience(TimeUnit.SECONDS.toNanos(order.hangSeconds()), () -> 0)
                    .awaitAll("terminals", terminals);
        } finally {
            interval.breakOff();
            threads.shutdown();
        }
    }
}
