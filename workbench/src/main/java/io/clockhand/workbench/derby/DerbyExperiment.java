// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby;

import io.clockhand.workbench.CommandFailure;
import io.clockhand.workbench.Journal;
import io.clockhand.workbench.derby.driver.Loaded;
import io.clockhand.workbench.environment.ChildJvm;
import io.clockhand.workbench.environment.CleanUp;
import io.clockhand.workbench.environment.Disk;
import io.clockhand.workbench.environment.Failures;
import io.clockhand.workbench.environment.Installation;
import io.clockhand.workbench.environment.Progress;
import io.clockhand.workbench.experiment.Answer;
import io.clockhand.workbench.experiment.Experiment;
import io.clockhand.workbench.experiment.Launch;
import io.clockhand.workbench.experiment.Order;
import io.clockhand.workbench.experiment.RunChild;
import io.clockhand.workbench.experiment.Workplace;
import io.clockhand.workbench.options.TimeOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Mixin;

/** An experiment with caches of Derby: its database is loaded once, and each run works on a copy. */
public abstract class DerbyExperiment<S, A extends Answer> extends Experiment<S, Contender, A> {
    /** Sorting the rows of a bulk insert is what needs it. */
    private static final String LOAD_HEAP = "768m";

    @Mixin
    private DerbyOptions derby;

    private DataSet dataSet;
    private CleanUp cleanUp;

    /**
     * Makes an experiment.
     *
     * @param terminals by default
     */
    protected DerbyExperiment(Class<A> answerType, TimeOptions times, Outline outline, List<Integer> terminals) {
        super(answerType, times, outline);
        derby = new DerbyOptions(terminals);
    }

    // --- what a subclass declares ------------------------------------------------------------------------------------

    protected abstract DataSet.Content content();

    protected abstract Order<Loaded> loadOrder(String directory);

    protected abstract Needs needs(boolean loaded);

    /** Bytes of one copy, with the data that a run adds. */
    protected abstract long copyBytes();

    /** A lower bound of the pages to be loaded: a pool refused because of it would be refused after loading. */
    protected abstract long fewestPages();

    /** The largest pool of all runs; fails, in one sentence, if this machine has too little memory for it. */
    protected abstract Pool largestPool(long allocatedPages);

    /** The isolation of transactions, in words. */
    protected abstract String isolation();

    /** The properties that all runs have. */
    protected abstract Map<String, String> commonProperties();

    protected abstract Map<String, String> properties(Launch<S, Contender> launch);

    /** Sizes the pools by the pages of all tables and indexes, and says how large they are. */
    protected abstract void sizePools(long allocatedPages, Journal journal);

    // --- the database ------------------------------------------------------------------------------------------------

    @Override
    protected List<String> prepare(Workplace workplace) {
        cleanUp = workplace.cleanUp();
        Journal journal = workplace.journal();
        dataSet = DataSet.lock(derby.data(), content(), derby.derby());
        boolean loaded = dataSet.isLoaded();
        Needs needs = needs(loaded);
        journal.say(needs.inWords(derby.data(), loaded));
        if (!loaded) {
            largestPool(fewestPages());
            needs.requireRoom(dataSet.directory());
            load();
        }
        long pages = dataSet.readMarker().allocatedPages();
        derby.setHeap(largestPool(pages).heap());
        List<String> flags = jvmFlags(derby.heap());
        sizePools(pages, journal);
        journal.say("Derby " + derby.derby() + ", " + String.join(" ", flags) + ", isolation " + isolation()
                + "; every run has these properties:");
        commonProperties().forEach((name, value) -> journal.say("    " + name + "=" + value));
        return flags;
    }

    /** Loads the database; if that fails or is broken off, nothing of it stays. */
    private void load() {
        Path home = dataSet.runDirectory();
        Path database = dataSet.database();
        cleanUp.add(home);
        cleanUp.add(database);
        try (Progress progress = Progress.of("loading " + content().inWords())) {
            Files.createDirectories(home);
            String name = name() + "-load";
            Loaded answer = jvm(home, DerbyProperties.ofLoad(), jvmFlags(LOAD_HEAP), List.of(), name, false)
                    .ask(
                            loadOrder(database.toAbsolutePath().toString()),
                            Loaded.class,
                            loaded -> true,
                            cleanUp,
                            progress::at);
            Disk.forceTree(database);
            dataSet.markLoaded(answer.allocatedPages());
            cleanUp.keep(database);
            cleanUp.delete(home);
        } catch (IOException e) {
            throw new CommandFailure("cannot load into " + dataSet.directory() + ": " + Failures.sentence(e), e);
        }
    }

    protected final DerbyOptions derby() {
        return derby;
    }

    @Override
    protected List<Contender> contenders() {
        return derby.caches();
    }

    @Override
    protected String baseline() {
        return derby.baseline(times());
    }

    @Override
    protected String ratioOfPairs() {
        return "ratioToDerby";
    }

    @Override
    protected void close() {
        if (dataSet != null) {
            dataSet.close();
        }
    }

    // --- runs --------------------------------------------------------------------------------------------------------

    @Override
    protected Path home(Workplace workplace, int number) throws IOException {
        Disk.require(dataSet.directory(), copyBytes(), "the working copy of a run");
        return dataSet.copyForRun(cleanUp, number);
    }

    /** The copy of the database that a run works on. */
    protected static String database(Launch<?, ?> launch) {
        return launch.home().resolve("database").toAbsolutePath().toString();
    }

    /** Where the Flight Recorder's profile of a run goes; null if there is none. */
    protected final String recording(Launch<?, ?> launch) {
        return derby.profile() && launch.timing() != null
                ? out().resolve(launch.fileName() + ".jfr").toAbsolutePath().toString()
                : null;
    }

    /** Runs with statistics use the Flight Recorder, too. */
    @Override
    protected ChildJvm jvm(Launch<S, Contender> launch, List<String> flags, Path log) throws IOException {
        boolean recorded = derby.profile() || launch.timing() == null;
        return jvm(launch.home(), properties(launch), flags, launch.contender().jars(), launch.fileName(), recorded);
    }

    private ChildJvm jvm(
            Path home,
            Map<String, String> properties,
            List<String> common,
            List<String> jars,
            String name,
            boolean recorded)
            throws IOException {
        Files.writeString(home.resolve("derby.properties"), DerbyProperties.asText(properties));
        List<String> flags = new ArrayList<>(common);
        flags.add("-Dderby.system.home=" + home.toAbsolutePath());
        flags.add("-Djava.io.tmpdir=" + home.toAbsolutePath());
        if (recorded && !home.toAbsolutePath().toString().contains(",")) {
            // the Flight Recorder takes no notice of java.io.tmpdir, and separates its options by commas
            flags.add("-XX:FlightRecorderOptions=repository="
                    + home.resolve("jfr").toAbsolutePath());
        }
        return new ChildJvm(
                RunChild.class.getName(),
                Installation.here().classPath(jars, derby.derby()),
                flags,
                home,
                patience(),
                out().resolve(name + ".log"));
    }

    /** The flags that may matter to the figures. */
    public static List<String> jvmFlags(String heap) {
        return List.of("-Xms" + heap, "-Xmx" + heap, "-XX:+UseG1GC");
    }
}
