// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.tpcc;

import io.clockhand.workbench.environment.Installation;
import io.clockhand.workbench.options.Usage;
import io.clockhand.workbench.tpcc.load.Scale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command {@code tpcc}. */
@Command(
        name = "tpcc",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        description =
                "Runs TPC-C on an embedded Apache Derby, with Derby's own page cache and with Clockhand's, each run"
                        + " in its own JVM and on its own copy of the data, and checks the data afterwards.",
        footer = "Not an audited TPC-C result.")
public final class TpccCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private Settings settings;

    @Override
    public Integer call() {
        Installation installation = Installation.here();
        settings.check(new Usage(spec), installation);
        Scale scale = Scale.standard(settings.warehouses(), settings.seed());
        return new TpccRuns(settings, scale, installation, System.out, System.err).run() ? 0 : 1;
    }
}
