// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.select;

import io.clockhand.workbench.environment.Installation;
import io.clockhand.workbench.options.Usage;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command {@code derby-select}. */
@Command(
        name = "derby-select",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        description =
                "Selects rows by their primary key on an embedded Apache Derby, with Derby's own page cache and with"
                        + " Clockhand's, each run in its own JVM, and checks the content of every row.",
        footer = "Each terminal is a thread with a connection and a prepared statement of its own, autocommit off,"
                + " isolation READ_COMMITTED, and commits after every 100 selects: so little but the locks, the"
                + " index, the row and the cache is measured.")
public final class SelectCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private Settings settings;

    @Override
    public Integer call() {
        Installation installation = Installation.here();
        settings.check(new Usage(spec), installation);
        return new SelectRuns(settings, installation, System.out, System.err).run() ? 0 : 1;
    }
}
