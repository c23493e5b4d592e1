// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.testing.ChildJvm;
import io.clockhand.testing.Tier;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Memory runs out at any allocation, again and again: see {@link SmallHeap}. {@code -Dclockhand.memory.seconds=600}
 * runs longer.
 */
class SmallHeapTest {
    private static final int SECONDS = Integer.getInteger("clockhand.memory.seconds", 0);
    private static final int ROUNDS = Tier.pick(1, 6, 200);
    private static final Pattern DONE = Pattern.compile("rounds=(\\d+) errors=(\\d+)");

    @TempDir
    private Path folder;

    @Tag("nightly") // as are all small heaps
    @Test
    @Timeout(value = 4, unit = TimeUnit.HOURS)
    void memoryThatRunsOutAgainAndAgainLeavesPoolsAndCachesWhole() throws Exception {
        String output = ChildJvm.run(
                Duration.ofSeconds(SECONDS).plusHours(3),
                List.of(
                        "-Xmx24m",
                        "-XX:+UseSerialGC",
                        "-XX:-UseTLAB", // or each thread would have some memory of its own left
                        "-cp",
                        ChildJvm.path(
                                List.of(ChildJvm.locationOf(BufferPool.class), ChildJvm.locationOf(SmallHeap.class))),
                        SmallHeap.class.getName(),
                        String.valueOf(ROUNDS),
                        String.valueOf(SECONDS),
                        folder.toString()));

        Matcher done = DONE.matcher(output);
        assertThat(done.find()).as(output).isTrue();
        assertThat(Long.parseLong(done.group(1))).as("rounds").isGreaterThanOrEqualTo(ROUNDS);
        assertThat(Long.parseLong(done.group(2))).as("errors").isPositive();
    }
}
