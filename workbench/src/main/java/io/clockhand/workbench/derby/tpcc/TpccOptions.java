// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.tpcc;

import io.clockhand.workbench.derby.Contender;
import io.clockhand.workbench.derby.tpcc.TpccRun.Work;
import io.clockhand.workbench.environment.Installation;
import io.clockhand.workbench.experiment.options.AdviceOptions;
import io.clockhand.workbench.experiment.options.CommaList;
import io.clockhand.workbench.experiment.options.Names;
import io.clockhand.workbench.experiment.options.PolicyNames;
import io.clockhand.workbench.experiment.options.Usage;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of the command, but for those that every experiment has. */
final class TpccOptions {
    @Option(
            names = "--caches",
            paramLabel = "NAME,…",
            split = ",",
            completionCandidates = Contender.Shown.class,
            description = "derby is Derby's own cache, the others are policies of Clockhand's:"
                    + " ${COMPLETION-CANDIDATES}" + PolicyNames.FORMS + " (default: ${DEFAULT-VALUE}).")
    List<String> caches = CommaList.of("derby", "nb-gclock3");

    @Option(
            names = "--jars",
            paramLabel = "NAME=PATH",
            description = "The jars of core and of the adapter of another version of Clockhand, separated as in a"
                    + " class path. A cache CACHE@NAME in --caches runs with them, any other cache with the version of"
                    + " the workbench. May be given once for each version.")
    private Map<String, String> jars = new LinkedHashMap<>();

    @Option(
            names = "--terminals",
            paramLabel = "N,…",
            split = ",",
            description = "Client threads; a list makes a run for each (default: ${DEFAULT-VALUE}).")
    List<Integer> terminals = CommaList.of(1, 4);

    @Option(
            names = "--warehouses",
            paramLabel = "N",
            description = "Scale, about 140 MB each (default: ${DEFAULT-VALUE}).")
    int warehouses = 2;

    @Option(
            names = "--pool-percent",
            paramLabel = "P",
            description = "The page cache, as a share of the allocated pages"
                    + " of all tables and indexes (default: ${DEFAULT-VALUE}).")
    double poolPercent = 20;

    @Option(
            names = "--work",
            paramLabel = "transactions|selects",
            description = "The transactions of TPC-C, or selects of rows of STOCK by primary key, a hundred between"
                    + " commits (default: ${DEFAULT-VALUE}).")
    Work work = Work.TRANSACTIONS;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "Keeps the loaded data for the next time (default: ${DEFAULT-VALUE}).")
    Path data = Path.of("clockhand-out", "data");

    @Option(
            names = "--derby",
            paramLabel = "VERSION",
            description = "One of those in lib/ (default: the newest that this Java runs).")
    String derby;

    @Option(names = "--profile", description = "Write a Flight Recorder profile of each measured run to --out.")
    boolean profile;

    @Option(
            names = "--record",
            paramLabel = "FILE",
            description = "Records the references to pages of a run with one cache and one number of terminals, for"
                    + " replay and simulate; a name that ends in .rw32be.")
    Path record;

    @Option(
            names = "--least-new-orders",
            paramLabel = "N",
            description = "A run that counts hits, or is recorded, goes on until this number of new orders was entered"
                    + " (default: ${DEFAULT-VALUE}).")
    long leastNewOrders;

    @Mixin
    AdviceOptions advice = new AdviceOptions();

    /** Those of {@link #caches}, known after the check. */
    List<Contender> contenders;

    /** Refuses wrong values and chooses the Derby. */
    void check(Usage usage) {
        contenders = chosenContenders(usage);
        usage.requireWithin("--warehouses", warehouses, 1, 1000);
        usage.require(leastNewOrders >= 0, "--least-new-orders must not be negative, not " + leastNewOrders);
        advice.check(usage);
        usage.require(
                poolPercent > 0 && poolPercent <= 1000, "--pool-percent must lie in 0 … 1000, not " + poolPercent);
        usage.requireEach("--terminals", terminals, 1000);
        derby = chosenDerby(usage, Installation.here());
        if (record != null) {
            usage.require(
                    caches.size() == 1 && terminals.size() == 1,
                    "--record records a single run: name one cache by --caches and one number by --terminals");
            usage.require(
                    record.toString().endsWith(".rw32be"), "--record needs a file that ends in .rw32be, not " + record);
        }
    }

    private List<Contender> chosenContenders(Usage usage) {
        String option = "--caches";
        try {
            caches.forEach(name -> Contender.of(name.replaceFirst("@.*", "")));
            Map<String, List<String>> versions = new LinkedHashMap<>();
            for (String version : jars.keySet()) {
                option = "--jars " + version;
                versions.put(version, Contender.versionJars(jars.get(version)));
            }
            option = "--caches";
            return caches.stream().map(name -> Contender.of(name, versions)).toList();
        } catch (IllegalArgumentException e) {
            throw usage.wrong(option + ": " + e.getMessage());
        }
    }

    private String chosenDerby(Usage usage, Installation installation) {
        if (derby == null) {
            return installation.newestDerby();
        }
        if (!installation.derbyVersions().contains(derby)) {
            throw usage.wrong(Names.unknown("Derby", derby, installation.derbyVersions()));
        }
        int needed = installation.javaNeeded(derby);
        int java = Runtime.version().feature();
        usage.require(java >= needed, "Derby " + derby + " needs Java " + needed + " or newer, this is Java " + java);
        return derby;
    }
}
