// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.experiment.options;

import java.util.function.BiConsumer;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** Options as a command line sets them. */
public final class ParsedOptions {
    private ParsedOptions() {}

    /**
     * Parses the words of a line.
     *
     * @param check as the command calls it
     */
    public static <S> S parse(S settings, BiConsumer<S, Usage> check, String line) {
        CommandSpec spec =
                CommandSpec.create().name("test").addMixin("settings", CommandSpec.forAnnotatedObject(settings));
        new CommandLine(spec).parseArgs(line.isEmpty() ? new String[0] : line.split(" +", -1));
        check.accept(settings, new Usage(spec));
        return settings;
    }
}
