// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.frame;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.testing.ChildJvm;
import io.clockhand.testing.NativeAccess;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Native memory with huge pages advised, each time in a JVM of its own; see {@link NativeSlabsProgram}. */
class NativeSlabsTest {
    private static void run(String limit, String what) throws Exception {
        assertThat(ChildJvm.run(List.of(
                        "--enable-native-access=ALL-UNNAMED",
                        "-XX:MaxDirectMemorySize=" + limit,
                        "-cp",
                        NativeAccess.classPath(),
                        NativeSlabsProgram.class.getName(),
                        what)))
                .isEqualTo(String.format("done%n"));
    }

    @Test
    void buffersDoNotOverlapAndAreAlignedAndHugePagesAreAdvised() throws Exception {
        run("2g", "contents");
    }

    @Test
    void bytesAreGivenBackInWholePagesOfTheSystemAndNoOthers() throws Exception {
        run("64m", "discard");
    }

    @Test
    void memoryIsUnmappedWhenNobodyCanReadItAndNotBefore() throws Exception {
        run("64m", "late");
    }

    @Test
    void memoryOfClosedPoolsCountsUntilItIsUnmapped() throws Exception {
        run("24m", "closed");
    }

    @Tag("nightly")
    @Test
    void interruptedThreadThatWaitsForMemoryTakesNoProcessor() throws Exception {
        run("24m", "idle");
    }
}
