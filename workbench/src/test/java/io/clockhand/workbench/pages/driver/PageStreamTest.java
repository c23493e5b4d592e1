// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.pages.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.workbench.workload.Trace;
import io.clockhand.workbench.workload.TraceFormat;
import io.clockhand.workbench.workload.Workload;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PageStreamTest {
    private static final int WRITE = Integer.MIN_VALUE;

    @Test
    void threadsShareTheReferencesOfARecordedTrace(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("recorded");
        try (DataOutputStream out = new DataOutputStream(Files.newOutputStream(file))) {
            for (int page : new int[] {70, 71 | WRITE, 70, 90 | WRITE}) {
                out.writeInt(page);
            }
        }
        Workload trace = Trace.read(file, TraceFormat.RW32BE).workload();
        PageStream first = PageStream.of(trace, 0, 2, 80);
        PageStream second = PageStream.of(trace, 1, 2, 80);

        assertThat(new long[] {first.next(), first.next(), first.next()}).containsExactly(0, 0, 0);
        assertThat(new long[] {second.next(), second.next(), second.next()}).containsExactly(~80L, ~160L, ~80L);
    }
}
