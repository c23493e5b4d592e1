// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.select.driver;

import io.clockhand.workbench.derby.driver.Database;
import io.clockhand.workbench.derby.driver.Loaded;
import io.clockhand.workbench.experiment.Order;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.function.DoubleConsumer;
import javax.sql.DataSource;

/**
 * Load these rows into a directory that does not exist yet.
 *
 * @param database the directory
 */
public record LoadOrder(String database, Rows rows) implements Order<Loaded> {
    @Override
    public Loaded perform(DoubleConsumer progress) throws SQLException {
        Path directory = Path.of(database);
        DataSource source = Database.create(directory);
        RowTable.load(source, rows, progress);
        long pages = Database.allocatedPages(source);
        Database.shutDown(directory);
        return new Loaded(pages);
    }
}
