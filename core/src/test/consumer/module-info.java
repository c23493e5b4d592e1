// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0

/**
 * An application that tests its own page store with the test kit. PublishedTestKitIT compiles it against the packaged
 * jars.
 */
module consumer {
    requires io.clockhand;
    requires io.clockhand.testkit;
    requires org.assertj.core;
    requires org.junit.jupiter.api;
    requires org.junit.platform.launcher;

    opens consumer to
            org.junit.platform.commons;
}
