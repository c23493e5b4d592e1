// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.lucene.bench;

import io.clockhand.workbench.Main;

/** The workbench with the command {@code lucene}, which the workbench without it starts. */
public final class LuceneWorkbench {
    private LuceneWorkbench() {}

    public static void main(String[] arguments) {
        System.exit(Main.commandLine(new Lucene()).execute(arguments));
    }
}
