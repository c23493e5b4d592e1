// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.workbench.replay.driver.Replay.Writing;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WriteOptionsTest {
    private static ReplayCommand settings(String line) {
        return ReplayReportTest.parse(line);
    }

    @Test
    void rateIsOfTimedRunsOnly() {
        WriteOptions writes = settings("--write-share 12.5 --rate 10000 --device-writes 5000 --log wait:200us")
                .writes();

        assertThat(writes.writing(true)).isEqualTo(new Writing(12.5, 10_000, 5_000, 200_000));
        assertThat(writes.writing(false)).isEqualTo(new Writing(12.5, 0, 5_000, 200_000));
        assertThat(settings("--write-share 1 --log wait:2s").writes().writing(true))
                .isEqualTo(new Writing(1, 0, 0, 2_000_000_000));
        assertThat(settings("--write-share 1").writes().writing(true)).isEqualTo(new Writing(1, 0, 0, -1));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --write-share 101                         | --write-share must lie in 0 … 100, not 101
            --write-share 1 --rate 0                  | --rate must lie in 1 …
            --write-share 1 --device-writes 99        | --device-writes must lie in 100 …
            --write-share 1 --log wait:0ms            | --log is none, or wait:T
            --write-share 1 --log wait:11s            | --log is none, or wait:T
            --write-share 1 --log disk                | --log is none, or wait:T
            --write-share 1 --rate 5 --accesses 10    | --rate needs runs that are timed
            --device-writes 500                       | need writes: add --write-share
            --write-share 0 --log wait:1ms            | need writes: add --write-share
            --write-share 0 --workload trace:x --device-writes 500 | need writes: add --write-share
            """)
    void wrongValueIsRefused(String line, String message) {
        assertThatThrownBy(() -> settings(line)).hasMessageContaining(message);
    }
}
