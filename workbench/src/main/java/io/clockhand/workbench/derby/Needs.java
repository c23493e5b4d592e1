// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby;

import io.clockhand.workbench.environment.Disk;
import java.nio.file.Path;

/**
 * The needs of a command, shown before it starts.
 *
 * @param databaseBytes that stay for the next time
 * @param copyBytes of the copies of all contenders, with the data that runs add
 */
public record Needs(int seconds, long databaseBytes, long copyBytes) {

    public String inWords(Path data, boolean loaded) {
        long disk = copyBytes + (loaded ? 0 : databaseBytes);
        int minutes = (seconds + 59) / 60;
        return "This takes about " + minutes + (minutes == 1 ? " minute" : " minutes") + " and "
                + Disk.megabytes(disk) + " of disk in " + data
                + (loaded
                        ? "; the loaded data are there already"
                        : ", of which " + Disk.megabytes(databaseBytes) + " stay for the next time")
                + ".";
    }

    /** Fails in one sentence if the disk has no room for the database and a copy of it. */
    public void requireRoom(Path directory) {
        Disk.require(directory, databaseBytes + copyBytes, "loading the database and copying it for a run");
    }
}
