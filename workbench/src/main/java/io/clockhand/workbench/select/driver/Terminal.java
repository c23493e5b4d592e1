// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.select.driver;

import io.clockhand.workbench.derby.driver.Interval;
import java.sql.SQLException;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.function.LongConsumer;
import javax.sql.DataSource;

/** A client thread: selects one row after the other until the interval is over. */
final class Terminal implements Callable<Terminal.Result> {
    /** A select counts if its end lies in the measured interval. */
    record Result(long selects, long wrongRows, String firstWrong) {}

    private final DataSource database;
    private final Rows rows;
    private final Keys keys;
    private final SplittableRandom random;
    private final Interval interval;
    private final LongConsumer counter;

    Terminal(
            DataSource database,
            Rows rows,
            Keys keys,
            SplittableRandom random,
            Interval interval,
            LongConsumer counter) {
        this.database = database;
        this.rows = rows;
        this.keys = keys;
        this.random = random;
        this.interval = interval;
        this.counter = counter;
    }

    @Override
    public Result call() throws SQLException {
        try (Selector selector = new Selector(database, rows)) {
            long selects = 0;
            long measured = 0;
            while (!interval.isOver()) {
                selector.select(keys.next(random, rows.count()));
                selects++;
                if (selects % Selector.SELECTS_PER_COMMIT == 0) {
                    selector.commit();
                }
                counter.accept(1);
                measured += interval.counts() ? 1 : 0;
            }
            return new Result(measured, selector.wrongRows(), selector.firstWrong());
        } catch (Throwable failure) {
            interval.breakOff();
            throw failure;
        }
    }
}
