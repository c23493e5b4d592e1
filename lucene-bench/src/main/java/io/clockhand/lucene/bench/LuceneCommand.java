// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.lucene.bench;

import io.clockhand.workbench.experiment.options.Usage;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command {@code lucene} of the workbench. */
@Command(
        name = "lucene",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        description = "Searches in an index of Apache Lucene that is read in several ways, each in a JVM of its own, in"
                + " memory or with less memory than the index has, and checks the result of every search.",
        footer = {
            "",
            "Work: terms finds the ten best documents of a word, sorts the ten first of a word by a number, vectors the"
                    + " ten nearest to a vector of 64 numbers. merge finds terms while a copy of the index is merged,"
                    + " over and over.",
            "",
            "Contenders: mmap is Lucene's MMapDirectory, mmap-random the same with RANDOM as advice for all files, nio"
                    + " is NIOFSDirectory. clockhand and clockhand-direct are ClockhandDirectory, without and with"
                    + " direct I/O. caffeine and caffeine-direct are a stand-in for the block cache of OpenSearch's"
                    + " storage encryption: blocks with reference counts in a Caffeine cache, without encryption."
        })
public final class LuceneCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private Settings settings;

    @Override
    public Integer call() {
        settings.check(new Usage(spec));
        return new LuceneRuns(settings, System.out, System.err).run() ? 0 : 1;
    }
}
