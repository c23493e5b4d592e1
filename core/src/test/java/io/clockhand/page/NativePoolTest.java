// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.testing.NativeAccess;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Pools whose pages lie in native memory, and its limits: each in a JVM of its own. */
class NativePoolTest {
    private static final Pattern PEAK = Pattern.compile("peak=(\\d+)");
    private static final String NATIVE = "native memory with huge pages advised";

    private static List<String> flags(String... more) {
        List<String> flags = new ArrayList<>(List.of("-Xmx128m", "--enable-native-access=ALL-UNNAMED"));
        flags.addAll(List.of("-cp", NativeAccess.classPath()));
        flags.addAll(List.of(more));
        return flags;
    }

    /** All of them together are 1.6 GiB; each third one needs the memory of the first. */
    @Test
    void fiftyPoolsLeaveNoMemoryBehind() throws Exception {
        String output =
                ForkedPoolTest.run(List.of(), flags("-XX:MaxDirectMemorySize=70m", "-Xlog:disable"), "cycles", "50");

        assertThat(output).startsWith("memory=[" + NATIVE + "]").endsWith(String.format("done%n"));
        Matcher peak = PEAK.matcher(output);
        assertThat(peak.find()).as(output).isTrue();
        assertThat(Long.parseLong(peak.group(1))).as("kilobytes").isLessThan(450 << 10);
    }

    /** Each third one would have direct buffers if the memory of the first was not back yet. */
    @Test
    void closedPoolsGiveTheirMemoryBackWithoutACollection() throws Exception {
        String output = ForkedPoolTest.run(
                List.of(),
                flags("-XX:MaxDirectMemorySize=70m", "-XX:+DisableExplicitGC", "-Xlog:disable"),
                "cycles",
                "12");

        assertThat(output).startsWith("memory=[" + NATIVE + "]").endsWith(String.format("done%n"));
    }

    /** The JVM counts direct buffers, and there is none for these pages. */
    @Test
    void sixteenGibibytesAreMappedAtOnceAndTakeNoMemoryUntilPagesCome() throws Exception {
        assertThat(ForkedPoolTest.run(
                        List.of(), flags("-Xmx1g", "-XX:MaxDirectMemorySize=17g"), "open", String.valueOf(16L << 30)))
                .containsPattern("before=(\\d+) after=\\1\\R")
                .contains("memory=" + NATIVE);
    }

    @Test
    void limitOfDirectMemoryHoldsForNativeMemory() throws Exception {
        assertThat(ForkedPoolTest.run(List.of(), flags("-XX:MaxDirectMemorySize=8m"), "open", String.valueOf(16 << 20)))
                .contains("refused: the pool needs")
                .contains("allows 8388608; start it with -XX:MaxDirectMemorySize=19m or more");
    }

    @Test
    void mappingThatTheSystemRefusesIsReplacedByDirectBuffers() throws Exception {
        List<String> limited = List.of("bash", "-c", "ulimit -v 8000000; exec \"$@\"", "bash");

        assertThat(ForkedPoolTest.run(
                        limited, flags("-Xmx1g", "-XX:MaxDirectMemorySize=17g"), "open", String.valueOf(16L << 30)))
                .contains("memory=direct buffers: the operating system refused huge pages");
    }
}
