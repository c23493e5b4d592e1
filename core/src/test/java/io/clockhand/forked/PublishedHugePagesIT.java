// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.forked;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.testing.ChildJvm;
import io.clockhand.testing.NativeAccess;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The part of the jar for Java 22 and later. */
class PublishedHugePagesIT {
    private static final Path JAR = Path.of(System.getProperty("clockhand.test.jars") + ".jar");
    private static final Path PROGRAMS = ChildJvm.locationOf(FilledPool.class);
    private static final String NATIVE = String.format("native memory with huge pages advised, for all pages: true%n");

    private static String run(String... flags) throws Exception {
        NativeAccess.assumePossible();
        List<String> arguments = new ArrayList<>(List.of(flags));
        arguments.addAll(List.of(FilledPool.class.getName(), String.valueOf(8 << 20), "true"));
        return ChildJvm.run(arguments);
    }

    @Test
    void jarOnTheClassPathHasIt() throws Exception {
        String path = ChildJvm.path(List.of(JAR, PROGRAMS));

        assertThat(run("--enable-native-access=ALL-UNNAMED", "-cp", path)).endsWith(NATIVE);
        assertThat(run("-cp", path)).contains("direct buffers: native access is not enabled");
    }

    @Test
    void jarOnTheModulePathHasIt() throws Exception {
        assertThat(run(
                        "--enable-native-access=io.clockhand",
                        "--module-path",
                        JAR.toString(),
                        "--add-modules",
                        "io.clockhand",
                        "-cp",
                        PROGRAMS.toString()))
                .endsWith(NATIVE);
    }
}
