// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package consumer;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.io.PageStore;
import io.clockhand.testkit.DiskCall.Operation;
import io.clockhand.testkit.DiskCrashedException;
import io.clockhand.testkit.DiskFault;
import io.clockhand.testkit.FaultRule;
import io.clockhand.testkit.SeededDisks;
import io.clockhand.testkit.SimulatedFile;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class CrashTest {
    @Test
    void forcedBytesSurvive() {
        SeededDisks.run(10, disk -> {
            disk.faults().add(FaultRule.of(DiskFault.POWER_LOSS).in("log").on(Operation.FORCE).skip(1));
            PageStore pages = disk.pages("pages", 4096);
            pages.write(0, ByteBuffer.allocate(4096));
            pages.force();
            try (SimulatedFile log = disk.file("log")) {
                assertThat(log.write(0, ByteBuffer.allocate(100))).isEqualTo(100);
                log.force();
                log.force();
                throw new AssertionError("the power has not failed");
            } catch (DiskCrashedException e) {
                disk.crash();
            }
            assertThat(disk.file("log").size()).isEqualTo(100);
            assertThat(disk.pages("pages", 4096).pages()).isEqualTo(1);
        });
    }
}
