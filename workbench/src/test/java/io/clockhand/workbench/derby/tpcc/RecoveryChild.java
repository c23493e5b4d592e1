// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.tpcc;

import io.clockhand.workbench.derby.driver.CacheProbe;
import io.clockhand.workbench.derby.driver.Database;
import io.clockhand.workbench.environment.Child;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import javax.sql.DataSource;

/**
 * The child JVM that opens a database after a crash, checks it, works on with it, closes it, and checks it again as it
 * was written back.
 */
public final class RecoveryChild {
    private static final int TRANSACTIONS = 25;

    private final CrashOrder order;
    private final Path directory;
    private final DataSource database;
    private final List<String> receipts;
    private final List<String> damage = new ArrayList<>();

    /**
     * The findings.
     *
     * @param damage what is wrong with the data, in words; empty if all is well
     * @param receipts how many were compared with the data in the end
     */
    public record Answer(List<String> damage, int receipts) {}

    private RecoveryChild(CrashOrder order) {
        this.order = order;
        this.directory = Path.of(order.database());
        this.database = Database.open(directory);
        this.receipts = Collections.synchronizedList(new ArrayList<>(order.receipts()));
    }

    public static void main(String[] arguments) {
        Child.serve(arguments, CrashOrder.class, order -> new RecoveryChild(order).run());
    }

    private Answer run() throws Exception {
        database.getConnection().close();
        CacheProbe inForce = CacheProbe.of(order.cache());
        Child.progress(0.2, "recovered with " + inForce.getClass().getSimpleName());
        check("after recovery");
        if (damage.isEmpty()) {
            new ReportingTerminals(order.next(), database, receipts::addAll).run(TRANSACTIONS);
            Child.progress(0.6, "worked on");
            Database.shutDown(directory);
            check("after a restart");
            Database.shutDown(directory);
        }
        return new Answer(damage, receipts.size());
    }

    private void check(String when) throws SQLException {
        Receipts present = Receipts.read(database, order.scale());
        List<String> found = new ArrayList<>(present.contradictions(receipts, order.terminals()));
        Consistency.Verdict verdict = Consistency.of(database, order.scale(), present.deliveredSinceLoad());
        verdict.broken().forEach((condition, violation) -> found.add("condition " + condition + ": " + violation));
        if (verdict.stock() != null) {
            found.add("stock: " + verdict.stock());
        }
        found.addAll(Consistency.brokenIndexes(database));
        found.forEach(what -> damage.add(when + ": " + what));
    }
}
