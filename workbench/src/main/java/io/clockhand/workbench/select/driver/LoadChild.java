// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.select.driver;

import io.clockhand.workbench.derby.driver.Database;
import io.clockhand.workbench.derby.driver.Loaded;
import io.clockhand.workbench.environment.Child;
import java.nio.file.Path;
import java.sql.SQLException;
import javax.sql.DataSource;

/** The child JVM that loads the table. */
public final class LoadChild {
    private LoadChild() {}

    public static void main(String[] arguments) {
        Child.serve(arguments, LoadOrder.class, LoadChild::load);
    }

    private static Loaded load(LoadOrder order) throws SQLException {
        Path directory = Path.of(order.database());
        DataSource database = Database.create(directory);
        RowTable.load(database, order.rows(), fraction -> Child.progress(fraction, "loading"));
        long pages = Database.allocatedPages(database);
        Database.shutDown(directory);
        return new Loaded(pages);
    }
}
