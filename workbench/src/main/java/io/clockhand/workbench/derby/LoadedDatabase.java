// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby;

import io.clockhand.workbench.Journal;
import io.clockhand.workbench.environment.CleanUp;
import io.clockhand.workbench.environment.Disk;
import io.clockhand.workbench.environment.Installation;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.function.Function;

/** The database of a command: locks its directory, loads it if need be, and cleans up after the runs. */
public final class LoadedDatabase implements AutoCloseable {
    private final DerbyOptions options;
    private final PrintStream err;
    private final DataSet dataSet;
    private final CleanUp cleanUp;
    private final Journal journal;
    private final DerbyChildren children;

    private LoadedDatabase(
            DerbyOptions options,
            Path out,
            Duration patience,
            Installation installation,
            PrintStream err,
            DataSet dataSet) {
        this.options = options;
        this.err = err;
        this.dataSet = dataSet;
        this.cleanUp = new CleanUp();
        this.journal = new Journal(err, cleanUp);
        this.children = new DerbyChildren(installation, options.derby(), out, patience, dataSet, cleanUp);
    }

    /**
     * Locks the directory of the database; fails in one sentence if that, or the one of the results, cannot be used.
     *
     * @param content of the database
     * @param out where the results go
     * @param patience how long a child may be silent before it counts as hung
     * @param err gets progress and messages
     */
    public static LoadedDatabase lock(
            DerbyOptions options,
            DataSet.Content content,
            Path out,
            Duration patience,
            Installation installation,
            PrintStream err) {
        Disk.requireWritable(out, "the results");
        DataSet dataSet = DataSet.lock(options.data(), content, options.derby());
        return new LoadedDatabase(options, out, patience, installation, err, dataSet);
    }

    /**
     * Loads it, unless it is loaded already.
     *
     * @param needs of the command, if the database is loaded, or not
     * @param check throws if a run would not fit into the memory
     * @param order for the child that loads
     */
    public void load(
            Function<Boolean, Needs> needs,
            Runnable check,
            Class<?> mainClass,
            String name,
            Function<String, ?> order,
            String what) {
        boolean loaded = dataSet.isLoaded();
        Needs own = needs.apply(loaded);
        err.println(own.inWords(options.data(), loaded));
        if (!loaded) {
            check.run();
            own.requireRoom(dataSet.directory());
            children.load(mainClass, name, order, what);
        }
    }

    /** The allocated pages of all tables and indexes, once it is loaded. */
    public long pages() {
        return dataSet.readMarker().allocatedPages();
    }

    /** Prints what all runs have in common. */
    public void describeRuns(String isolation, Map<String, String> properties) {
        err.println("Derby " + options.derby() + ", " + String.join(" ", DerbyChildren.jvmFlags(options.heap()))
                + ", isolation " + isolation + "; every run has these properties:");
        properties.forEach((name, value) -> err.println("    " + name + "=" + value));
    }

    public Journal journal() {
        return journal;
    }

    public DerbyChildren children() {
        return children;
    }

    @Override
    public void close() {
        try {
            cleanUp.close();
        } finally {
            dataSet.close();
        }
    }
}
