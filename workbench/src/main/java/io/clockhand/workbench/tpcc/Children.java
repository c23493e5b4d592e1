// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.tpcc;

import io.clockhand.workbench.CommandFailure;
import io.clockhand.workbench.derby.DerbyProperties;
import io.clockhand.workbench.environment.ChildJvm;
import io.clockhand.workbench.environment.CleanUp;
import io.clockhand.workbench.environment.Disk;
import io.clockhand.workbench.environment.Failures;
import io.clockhand.workbench.environment.Installation;
import io.clockhand.workbench.environment.Progress;
import io.clockhand.workbench.tpcc.driver.LoadChild;
import io.clockhand.workbench.tpcc.driver.LoadOrder;
import io.clockhand.workbench.tpcc.driver.RunAnswer;
import io.clockhand.workbench.tpcc.driver.RunChild;
import io.clockhand.workbench.tpcc.driver.RunOrder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Has child JVMs load the database and run the terminals. */
final class Children {
    /** Sorting the rows of a bulk insert is what needs it. */
    private static final String LOAD_HEAP = "768m";

    private final Settings settings;
    private final Installation installation;
    private final DataSet dataSet;
    private final CleanUp cleanUp;

    Children(Settings settings, Installation installation, DataSet dataSet, CleanUp cleanUp) {
        this.settings = settings;
        this.installation = installation;
        this.dataSet = dataSet;
        this.cleanUp = cleanUp;
    }

    /** Loads the database; if that fails or is broken off, nothing of it stays. */
    void load() {
        Path home = dataSet.runDirectory();
        cleanUp.add(home);
        cleanUp.add(dataSet.database());
        try (Progress progress = Progress.of(
                "loading " + settings.warehouses() + (settings.warehouses() == 1 ? " warehouse" : " warehouses"))) {
            Files.createDirectories(home);
            LoadOrder order = new LoadOrder(dataSet.database().toAbsolutePath().toString(), dataSet.scale());
            LoadOrder.Answer answer = child(
                            LoadChild.class, home, "tpcc-load", LOAD_HEAP, false, DerbyProperties.ofLoad())
                    .ask(order, LoadOrder.Answer.class, loaded -> true, cleanUp, progress::at);
            Disk.forceTree(dataSet.database());
            dataSet.markLoaded(answer.allocatedPages());
            cleanUp.keep(dataSet.database());
            cleanUp.delete(home);
        } catch (IOException e) {
            throw new CommandFailure("cannot load into " + dataSet.directory() + ": " + Failures.sentence(e), e);
        }
    }

    /** One run on a copy of its own; a {@link CommandFailure} says why there is no answer. */
    RunAnswer run(Cell cell, int poolPages, Progress progress) {
        try {
            Path home = dataSet.copyForRun(cleanUp);
            try {
                Map<String, String> properties = DerbyProperties.ofRun(cell.cache(), poolPages, settings.durability());
                return child(
                                RunChild.class,
                                home,
                                cell.fileName(),
                                settings.heap(),
                                cell.counted() || settings.profile(),
                                properties)
                        .ask(order(cell, home, poolPages), RunAnswer.class, RunAnswer::allHolds, cleanUp, progress::at);
            } finally {
                cleanUp.delete(home);
            }
        } catch (IOException e) {
            throw new CommandFailure(
                    "cannot copy the database in " + dataSet.directory() + ": " + Failures.sentence(e), e);
        }
    }

    private RunOrder order(Cell cell, Path home, int poolPages) {
        boolean profiled = settings.profile() && !cell.counted();
        return new RunOrder(
                home.resolve("database").toAbsolutePath().toString(),
                dataSet.scale(),
                cell.cache().policy(),
                poolPages,
                cell.terminals(),
                settings.warmup(),
                cell.counted() ? settings.countedSeconds() : settings.seconds(),
                settings.keying(),
                cell.counted(),
                settings.seed() + cell.repeat(),
                profiled
                        ? settings.out()
                                .resolve(cell.fileName() + ".jfr")
                                .toAbsolutePath()
                                .toString()
                        : null);
    }

    private ChildJvm child(
            Class<?> mainClass, Path home, String name, String heap, boolean recorded, Map<String, String> properties)
            throws IOException {
        Files.writeString(home.resolve("derby.properties"), DerbyProperties.asText(properties));
        List<String> flags = new ArrayList<>(jvmFlags(heap));
        flags.add("-Dderby.system.home=" + home.toAbsolutePath());
        flags.add("-Djava.io.tmpdir=" + home.toAbsolutePath());
        if (recorded && !home.toAbsolutePath().toString().contains(",")) {
            // the Flight Recorder takes no notice of java.io.tmpdir, and separates its options by commas
            flags.add("-XX:FlightRecorderOptions=repository="
                    + home.toAbsolutePath().resolve("jfr"));
        }
        return new ChildJvm(
                mainClass.getName(),
                installation.classPath(settings.derby()),
                flags,
                home,
                Estimate.patience(settings),
                log(name));
    }

    /** Where the log of a run lies if it went wrong. */
    Path log(Cell cell) {
        return log(cell.fileName());
    }

    private Path log(String name) {
        return settings.out().resolve(name + ".log");
    }

    /** Never returns once Ctrl-C was seen: no run may begin or be reported then. */
    void holdIfInterrupted() {
        cleanUp.holdIfInterrupted();
    }

    /** The flags that may matter to what is measured. */
    static List<String> jvmFlags(String heap) {
        return List.of("-Xms" + heap, "-Xmx" + heap, "-XX:+UseG1GC");
    }

    /** Fails in one sentence if a run's copy, with what the run adds to it, does not fit on the disk. */
    void requireRoomForRun() {
        Disk.require(dataSet.directory(), Estimate.copyBytes(settings), "the working copy of a run");
    }
}
