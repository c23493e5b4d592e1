// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0

/** A Lucene directory whose files are read through a pool of pages. */
module io.clockhand.lucene {
    requires transitive io.clockhand;
    requires static jdk.jfr; // without it there are no events
    requires transitive org.apache.lucene.core;

    exports io.clockhand.lucene;
}
