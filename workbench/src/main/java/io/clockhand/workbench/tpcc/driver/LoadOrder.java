// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.tpcc.driver;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.clockhand.workbench.derby.driver.Database;
import io.clockhand.workbench.derby.driver.Loaded;
import io.clockhand.workbench.experiment.Order;
import io.clockhand.workbench.tpcc.load.Loader;
import io.clockhand.workbench.tpcc.load.Scale;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.function.DoubleConsumer;
import javax.sql.DataSource;

/**
 * Load a database of this scale into a directory that does not exist yet.
 *
 * @param database the directory
 * @param scale of the population
 */
public record LoadOrder(String database, Scale scale) implements Order<Loaded> {
    @Override
    public Loaded perform(DoubleConsumer progress) throws SQLException {
        Path directory = Path.of(database);
        DataSource source = Database.create(directory);
        Loader loader = new Loader(source, scale);
        ScheduledExecutorService reporter = Executors.newSingleThreadScheduledExecutor();
        ScheduledFuture<?> reports =
                reporter.scheduleAtFixedRate(() -> progress.accept(loader.progress()), 0, 500, MILLISECONDS);
        try {
            loader.load();
        } finally {
            reports.cancel(false);
            reporter.shutdownNow();
        }
        long pages = Database.allocatedPages(source);
        Database.shutDown(directory);
        return new Loaded(pages);
    }
}
