// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.tpcc;

import io.clockhand.workbench.derby.Contender;
import io.clockhand.workbench.derby.driver.CacheProbe;
import io.clockhand.workbench.derby.driver.Database;
import io.clockhand.workbench.environment.Child;
import io.clockhand.workbench.experiment.Order;
import io.clockhand.workbench.workload.tpcc.Scale;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.DoubleConsumer;
import javax.sql.DataSource;

/**
 * The work of a child JVM: opens a database, after a crash or not, and has terminals work on it, which never think,
 * carry out their deliveries themselves, and report each commit when it is done.
 *
 * @param database the directory
 * @param scale it was loaded with
 * @param cache that the properties of the JVM must have set
 * @param poolPages its size
 * @param seed of the inputs
 * @param receipts null to work until the JVM is killed, with each receipt on standard output after its commit; else
 *     those of what was committed since the load: then the database is checked, worked on, closed and checked again
 */
record CrashRun(String database, Scale scale, Contender cache, int poolPages, long seed, List<String> receipts)
        implements Order<CrashRun.Answer> {
    private static final int TERMINALS = 4;

    /**
     * The findings.
     *
     * @param damage what is wrong with the data, in words; empty if all is well
     * @param receipts how many were compared with the data in the end
     */
    record Answer(List<String> damage, int receipts) {}

    @Override
    public Answer perform(DoubleConsumer progress) throws Exception {
        DataSource source = Database.open(Path.of(database));
        source.getConnection().close();
        new CacheProbe(cache, poolPages).sample();
        if (receipts == null) {
            work(source, seed, Integer.MAX_VALUE, CrashRun::say);
            throw new IllegalStateException("nobody has killed this child");
        }
        Child.progress(0.2, "recovered");
        List<String> all = Collections.synchronizedList(new ArrayList<>(receipts));
        List<String> damage = damage(source, all, "after recovery: ");
        if (damage.isEmpty()) {
            work(source, ~seed, 25, all::addAll);
            Child.progress(0.6, "worked on");
            Database.shutDown(Path.of(database));
            damage = damage(source, all, "after a restart: ");
            Database.shutDown(Path.of(database));
        }
        return new Answer(damage, all.size());
    }

    private List<String> damage(DataSource source, List<String> all, String when) throws SQLException {
        Receipts present = Receipts.read(source, scale);
        List<String> found = new ArrayList<>(present.contradictions(all, TERMINALS));
        found.addAll(Consistency.violations(source, scale, present.deliveredSinceLoad()));
        found.addAll(Consistency.brokenIndexes(source));
        found.replaceAll(when::concat);
        return found;
    }

    /** Returns when every terminal has executed its number of transactions, or throws the failure of one. */
    private void work(DataSource source, long inputSeed, int transactions, Consumer<List<String>> reports)
            throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(TERMINALS);
        try {
            List<Future<Void>> terminals = new ArrayList<>();
            for (int i = 0; i < TERMINALS; i++) {
                int number = i;
                terminals.add(threads.submit(() -> terminal(source, inputSeed, number, transactions, reports)));
            }
            for (Future<Void> terminal : terminals) {
                terminal.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private Void terminal(
            DataSource source, long inputSeed, int number, int transactions, Consumer<List<String>> reports)
            throws SQLException {
        Inputs inputs = new Inputs(scale, inputSeed, number, TERMINALS);
        try (Session session = new Session(source)) {
            for (int i = 0; i < transactions; i++) {
                Transaction transaction = inputs.next();
                if (session.run(transaction) == Session.End.COMMITTED) {
                    reports.accept(Receipts.of(transaction));
                }
            }
        }
        return null;
    }

    /** Prints the lines in a single write, so that each is printed as a whole or not at all. */
    @SuppressWarnings("resource") // standard output stays open
    static void say(List<String> lines) {
        if (lines.isEmpty()) {
            return;
        }
        try {
            byte[] text = (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8);
            new FileOutputStream(FileDescriptor.out).write(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
