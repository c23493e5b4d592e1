// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.select;

import io.clockhand.workbench.derby.DerbyChildren;
import io.clockhand.workbench.derby.DerbyProperties;
import io.clockhand.workbench.derby.Durability;
import io.clockhand.workbench.environment.Progress;
import io.clockhand.workbench.select.driver.LoadChild;
import io.clockhand.workbench.select.driver.LoadOrder;
import io.clockhand.workbench.select.driver.RunAnswer;
import io.clockhand.workbench.select.driver.RunChild;
import io.clockhand.workbench.select.driver.RunOrder;

/** Has child JVMs load the table and select from it. */
record Children(Settings settings, DerbyChildren derby) {

    void load() {
        derby.load(
                LoadChild.class,
                "derby-select-load",
                database -> new LoadOrder(database, settings.content()),
                settings.content().inWords());
    }

    /** One run on a copy of its own; a {@link io.clockhand.workbench.CommandFailure} says why there is no answer. */
    RunAnswer run(Cell cell, int poolPages, Progress progress) {
        derby.requireRoomForRun(Estimate.needs(settings, true).copyBytes());
        return derby.run(
                new DerbyChildren.Job<>(
                        RunChild.class,
                        cell.fileName(),
                        settings.heap(),
                        settings.profile(),
                        DerbyProperties.ofRun(cell.cache(), poolPages, Durability.TEST),
                        database -> order(cell, database, poolPages),
                        RunAnswer.class,
                        RunAnswer::allHolds),
                progress);
    }

    private RunOrder order(Cell cell, String database, int poolPages) {
        return new RunOrder(
                database,
                settings.content(),
                cell.cache().policy(),
                poolPages,
                cell.terminals(),
                settings.keys(),
                settings.warmup(),
                settings.seconds(),
                settings.seed() + cell.repeat(),
                settings.profile() ? derby.recording(cell.fileName()).toString() : null);
    }
}
