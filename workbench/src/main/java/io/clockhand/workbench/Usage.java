// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench;

import io.clockhand.workbench.environment.Installation;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Refuses options of a command, in one sentence each. */
public record Usage(CommandSpec spec) {

    public void require(boolean holds, String otherwise) {
        if (!holds) {
            throw wrong(otherwise);
        }
    }

    /** The Derby that was typed, or the newest that this Java runs. */
    public String chosenDerby(Installation installation, String typed) {
        if (typed == null) {
            return installation.newestDerby();
        }
        installation.requireDerby();
        if (!installation.derbyVersions().contains(typed)) {
            throw wrong(Names.unknown("Derby", typed, installation.derbyVersions()));
        }
        int needed = installation.javaNeeded(typed);
        int java = Runtime.version().feature();
        require(java >= needed, "Derby " + typed + " needs Java " + needed + " or newer, this is Java " + java);
        return typed;
    }

    public ParameterException wrong(String sentence) {
        return new ParameterException(spec.commandLine(), sentence);
    }
}
