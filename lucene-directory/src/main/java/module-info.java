// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0

/** A Lucene directory whose files are read through a pool of pages. */
module io.clockhand.lucene {
    requires transitive io.clockhand;
    requires transitive org.apache.lucene.core;

    exports io.clockhand.lucene;
}
