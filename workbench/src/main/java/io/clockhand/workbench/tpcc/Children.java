// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.tpcc;

import io.clockhand.workbench.derby.DataSet;
import io.clockhand.workbench.derby.DerbyChildren;
import io.clockhand.workbench.derby.DerbyProperties;
import io.clockhand.workbench.environment.CleanUp;
import io.clockhand.workbench.environment.Installation;
import io.clockhand.workbench.environment.Progress;
import io.clockhand.workbench.tpcc.driver.LoadChild;
import io.clockhand.workbench.tpcc.driver.LoadOrder;
import io.clockhand.workbench.tpcc.driver.RunAnswer;
import io.clockhand.workbench.tpcc.driver.RunChild;
import io.clockhand.workbench.tpcc.driver.RunOrder;
import io.clockhand.workbench.tpcc.load.Scale;
import java.nio.file.Path;

/** Has child JVMs load the warehouses and run the terminals. */
final class Children {
    private final Settings settings;
    private final Scale scale;
    private final DerbyChildren children;

    Children(Settings settings, Scale scale, Installation installation, DataSet dataSet, CleanUp cleanUp) {
        this.settings = settings;
        this.scale = scale;
        this.children = new DerbyChildren(
                installation, settings.derby(), settings.out(), Estimate.patience(settings), dataSet, cleanUp);
    }

    /** Loads the database; if that fails or is broken off, nothing of it stays. */
    void load() {
        children.load(LoadChild.class, "tpcc-load", database -> new LoadOrder(database, scale), scale.inWords());
    }

    /** One run on a copy of its own; a {@link io.clockhand.workbench.CommandFailure} says why there is no answer. */
    RunAnswer run(Cell cell, int poolPages, Progress progress) {
        return children.run(
                new DerbyChildren.Job<>(
                        RunChild.class,
                        cell.fileName(),
                        settings.heap(),
                        cell.counted() || settings.profile(),
                        DerbyProperties.ofRun(cell.cache(), poolPages, settings.durability()),
                        database -> order(cell, database, poolPages),
                        RunAnswer.class,
                        RunAnswer::allHolds),
                progress);
    }

    private RunOrder order(Cell cell, String database, int poolPages) {
        boolean profiled = settings.profile() && !cell.counted();
        return new RunOrder(
                database,
                scale,
                cell.cache().policy(),
                poolPages,
                cell.terminals(),
                settings.warmup(),
                cell.counted() ? settings.countedSeconds() : settings.seconds(),
                settings.keying(),
                cell.counted(),
                settings.seed() + cell.repeat(),
                profiled ? children.recording(cell.fileName()).toString() : null);
    }

    /** Where the log of a run lies if it went wrong. */
    Path log(Cell cell) {
        return children.log(cell.fileName());
    }

    void holdIfInterrupted() {
        children.holdIfInterrupted();
    }

    /** Fails in one sentence if a run's copy, with what the run adds to it, does not fit on the disk. */
    void requireRoomForRun() {
        children.requireRoomForRun(Estimate.copyBytes(settings));
    }
}
