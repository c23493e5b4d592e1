// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.tpcc.driver;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.clockhand.workbench.derby.driver.Database;
import io.clockhand.workbench.derby.driver.Loaded;
import io.clockhand.workbench.environment.Child;
import io.clockhand.workbench.tpcc.load.Loader;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import javax.sql.DataSource;

/** The child JVM that loads a database. */
public final class LoadChild {
    private LoadChild() {}

    public static void main(String[] arguments) {
        Child.serve(arguments, LoadOrder.class, LoadChild::load);
    }

    private static Loaded load(LoadOrder order) throws SQLException {
        Path directory = Path.of(order.database());
        DataSource database = Database.create(directory);
        Loader loader = new Loader(database, order.scale());
        ScheduledExecutorService reporter = Executors.newSingleThreadScheduledExecutor();
        ScheduledFuture<?> reports =
                reporter.scheduleAtFixedRate(() -> Child.progress(loader.progress(), "loading"), 0, 500, MILLISECONDS);
        try {
            loader.load();
        } finally {
            reports.cancel(false);
            reporter.shutdownNow();
        }
        long pages = Database.allocatedPages(database);
        Database.shutDown(directory);
        return new Loaded(pages);
    }
}
