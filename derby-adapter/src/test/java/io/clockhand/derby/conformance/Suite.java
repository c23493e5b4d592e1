// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.derby.conformance;

import io.clockhand.derby.DerbyHost;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** All scenarios, and their run on one engine. */
final class Suite {
    static final List<Scenario> SCENARIOS = Stream.of(
                    TableScenarios.all(),
                    BulkScenarios.all(),
                    TransactionScenarios.all(),
                    CursorScenarios.all(),
                    RoutineScenarios.all(),
                    GeneratorScenarios.all(),
                    LargeObjectScenarios.all(),
                    DatabaseScenarios.all(),
                    BackupScenarios.all(),
                    ConcurrencyScenarios.all())
            .flatMap(List::stream)
            .toList();

    private Suite() {}

    /**
     * The result of a scenario.
     *
     * @param transcript the recorded statements and answers
     * @param failure the exception that the scenario did not expect, or null
     */
    record Outcome(String transcript, Throwable failure) {}

    /** {@return the outcomes by the names of the scenarios} */
    static Map<String, Outcome> run(
            String version, boolean clockhand, String home, Predicate<String> chosen, String... properties)
            throws Exception {
        Path folder = DerbyHost.freshHome(home);
        Path temporary = Files.createDirectories(folder.resolve("temporary"));
        // Derby's search for deadlocks takes long when many threads wait: time-outs do here, but for one scenario.
        String[] fixed = {
            "derby.storage.tempDirectory", temporary.toString(),
            "derby.storage.indexStats.auto", "false",
            "derby.locks.deadlockTimeout", "20",
            "derby.locks.waitTimeout", "1",
            // Small, so that little work makes them overflow.
            "derby.storage.sortBufferMax", "100",
            "derby.language.statementCacheSize", "20"
        };
        String[] all = new String[properties.length + fixed.length];
        System.arraycopy(fixed, 0, all, 0, fixed.length);
        System.arraycopy(properties, 0, all, fixed.length, properties.length);
        Map<String, Outcome> outcomes = new LinkedHashMap<>();
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (DerbyHost host = DerbyHost.of(version, folder, clockhand, all)) {
            // Derby takes the classes of routines from there.
            thread.setContextClassLoader(host.loader());
            host.create(Stage.SHARED).close();
            inForce(host, version, clockhand);
            for (Scenario scenario : SCENARIOS) {
                if (chosen.test(scenario.name())) {
                    outcomes.put(scenario.name(), run(host, folder, scenario));
                }
            }
            inForce(host, version, clockhand);
        } finally {
            thread.setContextClassLoader(before);
        }
        return outcomes;
    }

    private static void inForce(DerbyHost host, String version, boolean clockhand) throws Exception {
        if (!host.derbyVersion().equals(version)) {
            throw new IllegalStateException("Derby is " + host.derbyVersion() + " instead of " + version);
        }
        if (host.isClockhandInForce() != clockhand || host.log().contains("Clockhand") != clockhand) {
            throw new IllegalStateException("Clockhand should be in force: " + clockhand);
        }
    }

    private static Outcome run(DerbyHost host, Path folder, Scenario scenario) throws Exception {
        Path own = Files.createDirectories(folder.resolve("files-" + scenario.schema()));
        Stage stage = new Stage(host, own, scenario.schema());
        Throwable failure = null;
        try {
            scenario.body().run(stage);
        } catch (Exception | AssertionError e) {
            failure = e;
        }
        return new Outcome(String.join("\n", stage.transcript), failure);
    }
}
