// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0

/** A buffer manager for JVM database engines: fixed-size pages of files, kept in memory. */
@SuppressWarnings("module") // the Lucene directory is compiled after this
module io.clockhand {
    requires java.management;
    requires static jdk.jfr; // without it there are no events
    requires jdk.management;
    requires static org.jctools.core; // without it there are no non-blocking tables

    exports io.clockhand;
    exports io.clockhand.cache;
    exports io.clockhand.internal.metrics to
            io.clockhand.lucene;
    exports io.clockhand.io;
    exports io.clockhand.page;
    exports io.clockhand.policy;
    exports io.clockhand.space;
    exports io.clockhand.wal;
}
