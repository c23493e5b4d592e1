// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.select;

import io.clockhand.workbench.derby.DerbyExperiment.DerbyAnswer;
import io.clockhand.workbench.derby.driver.CacheProbe;
import io.clockhand.workbench.derby.driver.Database;
import io.clockhand.workbench.derby.driver.Interval;
import io.clockhand.workbench.derby.driver.Observer;
import io.clockhand.workbench.derby.driver.RunTask;
import io.clockhand.workbench.experiment.Order;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.function.DoubleConsumer;
import java.util.function.LongConsumer;
import javax.sql.DataSource;

/** One run: the pool is filled, and terminals select until the interval is over. */
record Selects(RunTask task, Rows rows, Keys keys) implements Order<Selects.Selected> {
    /** Enough to make the commit a small part of the work. */
    private static final int PER_COMMIT = 100;
    /** Fewer rows than lie on a page. */
    private static final int STRIDE = 8;
    /** While the pool is filled, its size is checked after each of these numbers of selects. */
    private static final int CHECK_EVERY = 1000;

    @Override
    public Selected perform(DoubleConsumer progress) throws Exception {
        DataSource database = Database.open(task.directory());
        database.getConnection().close();
        CacheProbe probe = CacheProbe.of(task.cache());
        List<Selector> selectors = new ArrayList<>(List.of(filled(database, probe)));
        try (Observer observer = new Observer(probe, task.recording())) {
            Interval interval = task.interval();
            selectors.addAll(task.perform(
                    interval, observer, task.patience(() -> 0), number -> terminal(number, database, interval)));
            Selected selected = new Selected(
                    selectors.stream().mapToLong(each -> each.measured).sum(),
                    task.seconds(),
                    selectors.stream().mapToLong(each -> each.wrongRows).sum(),
                    selectors.stream()
                            .map(each -> each.firstWrong)
                            .filter(Objects::nonNull)
                            .findFirst()
                            .orElse(null),
                    observer.maxResidentPages());
            Database.shutDown(task.directory());
            return selected;
        }
    }

    /** Reads one page after the other until the pool is full, so that the warm-up need not fill it. */
    private Selector filled(DataSource database, CacheProbe probe) throws Exception {
        try (Selector selector = new Selector(database, rows)) {
            for (int i = 0, key = 1; key <= rows.count(); i++, key += STRIDE) {
                if (i % CHECK_EVERY == 0
                        && probe.residentPages() >= task.cache().pages()) {
                    break;
                }
                selector.select(key);
            }
            return selector;
        }
    }

    /** A client thread; a select counts if its end lies in the measured interval. */
    private Callable<Selector> terminal(int number, DataSource database, Interval interval) {
        SplittableRandom random = new SplittableRandom(task.seedOf(number));
        LongConsumer counter = interval.counter(number);
        return () -> {
            try (Selector selector = new Selector(database, rows)) {
                while (!interval.isOver()) {
                    selector.select(keys.next(random, rows.count()));
                    counter.accept(1);
                    selector.measured += interval.counts() ? 1 : 0;
                }
                return selector;
            } catch (Throwable failure) {
                interval.breakOff();
                throw failure;
            }
        };
    }

    /** Which rows are selected. */
    enum Keys {
        UNIFORM,
        /** Four in five selects go to the first fifth of the keys, which is a fifth of the pages too. */
        EIGHTY_TWENTY;

        /** A key in 1 … {@code rows}. */
        int next(SplittableRandom random, int rows) {
            int hot = this == UNIFORM ? rows : Math.max(1, rows / 5);
            boolean isHot = hot == rows || random.nextInt(5) > 0;
            return isHot ? 1 + random.nextInt(hot) : hot + 1 + random.nextInt(rows - hot);
        }

        @Override
        public String toString() {
            return this == UNIFORM ? "uniform" : "80-20";
        }
    }

    /** The figures of a run; {@code firstWrong} is null if every row was right. */
    record Selected(long selects, int seconds, long wrongRows, String firstWrong, Integer maxResidentPages)
            implements DerbyAnswer {
        @Override
        public String wrong() {
            return wrongRows == 0 ? null : "read " + wrongRows + " wrong rows: " + firstWrong;
        }

        @Override
        public long operations() {
            return selects;
        }

        @Override
        public Double operationsPerSecond() {
            return (double) selects / seconds;
        }
    }

    /** Loads the table into a directory that does not exist yet. */
    record Load(String directory, Rows rows) implements Order<Database.Loaded> {
        @Override
        public Database.Loaded perform(DoubleConsumer progress) throws SQLException {
            return Database.load(Path.of(directory), database -> rows.load(database, progress));
        }
    }

    /** A connection with its prepared statement; counts the rows that are not as they should be. Not thread-safe. */
    static final class Selector implements AutoCloseable {
        private final Rows rows;
        private final Connection connection;
        private final PreparedStatement statement;
        private long selects;
        private long measured;
        long wrongRows;
        String firstWrong;

        Selector(DataSource database, Rows rows) throws SQLException {
            this.rows = rows;
            connection = database.getConnection();
            connection.setAutoCommit(false);
            connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
            statement = connection.prepareStatement("SELECT content FROM selected WHERE id = ?");
        }

        void select(int key) throws SQLException {
            statement.setInt(1, key);
            try (ResultSet row = statement.executeQuery()) {
                boolean isThere = row.next();
                if (!isThere || !rows.isContent(key, row.getBytes(1))) {
                    wrongRows++;
                    firstWrong = firstWrong != null
                            ? firstWrong
                            : "row " + key + (isThere ? " has a content that is not its own" : " was not found");
                }
            }
            if (++selects % PER_COMMIT == 0) {
                connection.commit();
            }
        }

        @Override
        public void close() throws SQLException {
            connection.rollback();
            connection.close();
        }
    }
}
