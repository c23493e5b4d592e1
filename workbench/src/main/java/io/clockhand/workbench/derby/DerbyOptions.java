// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby;

import io.clockhand.workbench.environment.Installation;
import io.clockhand.workbench.experiment.options.Choice;
import io.clockhand.workbench.experiment.options.CommaList;
import io.clockhand.workbench.experiment.options.Names;
import io.clockhand.workbench.experiment.options.PolicyNames;
import io.clockhand.workbench.experiment.options.RunTimes;
import io.clockhand.workbench.experiment.options.Usage;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Option;

/** The options of the commands that run Derby. */
public final class DerbyOptions {
    private static final int MOST_TERMINALS = 1000;

    @Option(
            names = "--caches",
            paramLabel = "NAME,…",
            split = ",",
            converter = CacheChoice.class,
            completionCandidates = CacheChoice.class,
            description = "derby is Derby's own cache, the others are policies of Clockhand's:"
                    + " ${COMPLETION-CANDIDATES}" + PolicyNames.FORMS + " (default: ${DEFAULT-VALUE}).")
    private List<String> caches = CommaList.of("derby", "nb-gclock3");

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
    private List<Integer> terminals;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "Keeps the loaded data for the next time (default: ${DEFAULT-VALUE}).")
    private Path data = Path.of("clockhand-out", "data");

    @Option(
            names = "--heap",
            paramLabel = "SIZE",
            description = "Of every run's JVM, such as 800m or 2g (default: enough for the largest pool).")
    private String heap;

    @Option(
            names = "--derby",
            paramLabel = "VERSION",
            description = "One of those in lib/ (default: the newest that this Java runs).")
    private String derby;

    @Option(names = "--profile", description = "Write a Flight Recorder profile of each measured run to --out.")
    private boolean profile;

    private List<Contender> contenders = List.of();

    public DerbyOptions(List<Integer> defaultTerminals) {
        terminals = defaultTerminals;
    }

    /** Refuses wrong values and chooses the Derby. */
    public void check(Usage usage, Installation installation) {
        usage.requireEach("--terminals", terminals, MOST_TERMINALS);
        usage.require(
                heap == null || heap.matches("[1-9][0-9]*[kKmMgG]"),
                "--heap must be a size such as 800m or 2g, not " + heap);
        derby = chosenDerby(usage, installation);
        contenders = chosenContenders(usage);
    }

    private List<Contender> chosenContenders(Usage usage) {
        Map<String, List<String>> versions = new LinkedHashMap<>();
        jars.forEach((name, classPath) -> {
            try {
                versions.put(name, Contender.versionJars(classPath));
            } catch (IllegalArgumentException fault) {
                throw usage.wrong("--jars " + name + ": " + fault.getMessage());
            }
        });
        try {
            return caches.stream().map(name -> Contender.of(name, versions)).toList();
        } catch (IllegalArgumentException e) {
            throw usage.wrong("--caches: " + e.getMessage());
        }
    }

    private String chosenDerby(Usage usage, Installation installation) {
        if (derby == null) {
            return installation.newestDerby();
        }
        installation.requireDerby();
        if (!installation.derbyVersions().contains(derby)) {
            throw usage.wrong(Names.unknown("Derby", derby, installation.derbyVersions()));
        }
        int needed = installation.javaNeeded(derby);
        int java = Runtime.version().feature();
        usage.require(java >= needed, "Derby " + derby + " needs Java " + needed + " or newer, this is Java " + java);
        return derby;
    }

    /** As typed. */
    public List<String> names() {
        return caches;
    }

    /** The baseline of comparisons: the typed one, Derby's own cache, or null for the first. */
    public String baseline(RunTimes times) {
        return times.baseline() != null ? times.baseline() : caches.contains(Contender.DERBY) ? Contender.DERBY : null;
    }

    /** Known after the check. */
    public List<Contender> caches() {
        return contenders;
    }

    public List<Integer> terminals() {
        return terminals;
    }

    public int mostTerminals() {
        return Collections.max(terminals);
    }

    public Path data() {
        return data;
    }

    /** In Java's notation; null until the size of the largest pool is known. */
    public String heap() {
        return heap;
    }

    public void setHeap(String chosen) {
        heap = chosen;
    }

    /** The version. */
    public String derby() {
        return derby;
    }

    public boolean profile() {
        return profile;
    }

    /** The values of an option {@code --caches}, which may name a version after the cache. */
    static final class CacheChoice extends Choice<String> {
        CacheChoice() {
            super("cache", Contender.possible(), name -> name);
        }

        /** Refuses an unknown cache; versions are checked when all options are known. */
        @Override
        protected String value(String name) {
            Contender.requirePossible(Contender.cacheOf(name));
            return name;
        }

        @Override
        public Iterator<String> iterator() {
            return Contender.chosen().iterator();
        }
    }
}
