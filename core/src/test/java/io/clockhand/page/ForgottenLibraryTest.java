// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.testing.ChildJvm;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Neither threads nor beans, files, properties or cleaners of the library keep its class loader. */
class ForgottenLibraryTest {
    @TempDir
    private Path folder;

    @Test
    void classLoaderOfAClosedPoolIsCollected() throws Exception {
        assertCollected("close");
    }

    /** Its threads end after some seconds without work. */
    @Test
    @Tag("ci")
    void classLoaderOfAForgottenPoolIsCollected() throws Exception {
        assertCollected("forget");
    }

    private void assertCollected(String end) throws Exception {
        assertThat(ChildJvm.run(List.of(
                        "-cp",
                        System.getProperty("java.class.path"),
                        ForgottenLibrary.class.getName(),
                        folder.toString(),
                        end)))
                .as("what a program prints when its library was collected")
                .isEqualTo(String.format("collected%n"));
    }
}
