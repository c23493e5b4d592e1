// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.io;

import static io.clockhand.io.FilledPages.append;
import static io.clockhand.io.FilledPages.bytes;
import static io.clockhand.io.FilledPages.filled;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.testing.Workers;
import io.clockhand.testkit.SimulatedDisk;
import io.clockhand.testkit.SimulatedFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Files of bytes on a simulated disk without faults. */
class SimulatedFileTest {
    @RegisterExtension
    private final Workers workers = new Workers();

    private final SimulatedDisk disk = new SimulatedDisk(1);

    @Test
    void fileBehavesAsAnArrayOfBytes() throws IOException {
        SimulatedFile file = disk.file("log");
        SplittableRandom random = new SplittableRandom(7);
        byte[] expected = {};
        for (int step = 0; step < 2_000; step++) {
            int position = random.nextInt(6_000);
            int length = random.nextInt(1, 2_000);
            switch (random.nextInt(4)) {
                case 0 -> {
                    file.truncate(position);
                    expected = Arrays.copyOf(expected, Math.min(expected.length, position));
                }
                case 1 -> file.force();
                default -> {
                    byte[] written = new byte[length];
                    Arrays.fill(written, (byte) (step % 100 + 1));
                    assertThat(file.write(position, ByteBuffer.wrap(written))).isEqualTo(length);
                    expected = Arrays.copyOf(expected, Math.max(expected.length, position + length));
                    System.arraycopy(written, 0, expected, position, length);
                }
            }
            assertThat(file.size()).isEqualTo(expected.length);
            if (step % 10 == 0) {
                assertThat(bytes(file)).as("step %d", step).isEqualTo(expected);
            }
            if (step % 100 == 0) {
                file.force();
                disk.crash();
                file = disk.file("log");
                assertThat(bytes(file)).as("step %d, after a crash", step).isEqualTo(expected);
            }
        }
    }

    @Test
    void readEndsAtTheEndOfTheFile() throws IOException {
        SimulatedFile file = disk.file("log");
        append(file, 700, 1);
        ByteBuffer target = ByteBuffer.allocate(1_000);
        assertThat(file.read(600, target)).isEqualTo(100);
        assertThat(target.position()).isEqualTo(100);
        assertThat(file.read(700, target)).isEqualTo(-1);
        assertThat(file.read(9_000, target)).isEqualTo(-1);
        assertThat(file.read(0, ByteBuffer.allocate(0))).isZero();
        assertThat(file.write(0, ByteBuffer.allocate(0))).isZero();
    }

    @Test
    void handlesOfOneFileSeeTheSameBytes() throws IOException {
        SimulatedFile file = disk.file("log");
        SimulatedFile other = disk.file("log");
        append(file, 10, 1);
        assertThat(bytes(other)).hasSize(10).containsOnly(1);
        file.close();
        append(other, 10, 1);
        assertThatThrownBy(file::size).isInstanceOf(IOException.class).hasMessage("cannot measure log: it is closed");
        assertThat(disk.fileNames()).containsExactly("log");
    }

    @Test
    void threadsWriteTheirRangesWithoutMixingThem() throws IOException {
        SimulatedFile file = disk.file("log");
        for (int thread = 0; thread < 4; thread++) {
            int value = thread + 1;
            workers.run(() -> {
                for (int i = 0; i < 200; i++) {
                    file.write(100L * (4 * i + value - 1), filled(100, value));
                    if (i % 50 == 0) {
                        file.force();
                    }
                }
            });
        }
        Workers.await(() -> size(file) == 80_000, "the threads do not end");
        Workers.await(() -> isComplete(file), "a range is missing");
    }

    private static long size(SimulatedFile file) {
        try {
            return file.size();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static boolean isComplete(SimulatedFile file) {
        try {
            byte[] all = bytes(file);
            boolean complete = true;
            for (int at = 0; at < all.length; at++) {
                complete &= all[at] == at / 100 % 4 + 1;
            }
            return complete;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
