// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0

/** A buffer manager for JVM database engines: fixed-size pages of files, kept in memory. */
module io.clockhand {
    requires org.jctools.core;

    exports io.clockhand;
    exports io.clockhand.cache;
    exports io.clockhand.policy;
}
