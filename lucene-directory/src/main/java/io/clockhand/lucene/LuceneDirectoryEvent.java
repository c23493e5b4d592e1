// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.lucene;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;

/** The figures of one kind of file of one directory, at regular intervals. */
@Name("io.clockhand.LuceneDirectory")
@Label("Lucene Directory")
@Category("Clockhand")
@Description(
        "The pages of one kind of file of a Lucene directory that are read through a pool, which scans every frame for"
                + " them. Counts increase only while the pool collects statistics, and are those of files that are"
                + " open")
@StackTrace(false)
@Period("60 s")
final class LuceneDirectoryEvent extends Event {
    @Label("Pool")
    @Description("The name of the pool's management beans, if it has them")
    String pool;

    @Label("Directory")
    @Description("The path of the directory")
    String directory;

    @Label("Kind")
    @Description("The ending of the files' names, or segments")
    String kind;

    @Label("Files")
    int files;

    @Label("Size")
    @DataAmount
    long bytes;

    @Label("Resident")
    @Description("The bytes of pages that are in memory")
    @DataAmount
    long residentBytes;

    @Label("Hits")
    long hits;

    @Label("Misses")
    long misses;
}
