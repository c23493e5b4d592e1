// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.guide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.testkit.DiskCrashedException;
import io.clockhand.testkit.DiskFault;
import io.clockhand.testkit.FaultRule;
import io.clockhand.testkit.SeededDisks;
import io.clockhand.testkit.SimulatedDisk;
import io.clockhand.testkit.SimulatedFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

/** A log on a simulated disk: it loses no acknowledged record, and a log that forgets to force is caught. */
class CrashedLogTest {
    /** The forgetful log must be caught within this number of seeds. */
    private static final int SEEDS_OF_CANARY = 20;

    // tag::log[]
    /** The numbers 0, 1, 2, …, each acknowledged when {@link #append} returns. */
    static class NumberLog {
        static final int RECORD_BYTES = 12;
        private final SimulatedFile file;

        NumberLog(SimulatedFile file) {
            this.file = file;
        }

        void append(long number) throws IOException {
            ByteBuffer record = record(number);
            while (record.hasRemaining()) { // a write can be short
                file.write(number * RECORD_BYTES + record.position(), record);
            }
            commit();
        }

        void commit() throws IOException {
            file.force();
        }

        /** {@return how many numbers, from 0 on, have survived} */
        long recover() throws IOException {
            for (long number = 0; ; number++) {
                ByteBuffer read = ByteBuffer.allocate(RECORD_BYTES);
                int bytes = 0;
                while (bytes >= 0 && read.hasRemaining()) { // a read can be short, too
                    bytes = file.read(number * RECORD_BYTES + read.position(), read);
                }
                if (!read.flip().equals(record(number))) {
                    return number; // the end, or a record that is torn
                }
            }
        }

        private static ByteBuffer record(long number) {
            ByteBuffer record = ByteBuffer.allocate(RECORD_BYTES).putLong(number);
            CRC32C checksum = new CRC32C();
            checksum.update(record.array(), 0, Long.BYTES);
            return record.putInt((int) checksum.getValue()).flip();
        }
    }
    // end::log[]

    // tag::test[]
    @Test
    void acknowledgedNumbersSurviveACrash() {
        SeededDisks.run(1_000, disk -> crash(disk, new NumberLog(disk.file("numbers"))));
    }

    private static void crash(SimulatedDisk disk, NumberLog log) throws IOException {
        disk.faults().add(FaultRule.of(DiskFault.SHORT_WRITE).chance(0.1));
        disk.faults().add(FaultRule.of(DiskFault.SHORT_READ).chance(0.1));
        disk.faults()
                .add(FaultRule.of(DiskFault.POWER_LOSS).skip(disk.seed() % 200).times(1));
        long acknowledged = 0;
        try {
            for (; ; acknowledged++) {
                log.append(acknowledged);
            }
        } catch (DiskCrashedException e) {
            disk.crash(); // decides which writes that were not forced survive
        }
        long survived = new NumberLog(disk.file("numbers")).recover();
        assertThat(survived).isBetween(acknowledged, acknowledged + 1); // the last one may go either way
    }
    // end::test[]

    @Test
    void logThatForgetsToForceIsCaught() {
        assertThatThrownBy(() ->
                        SeededDisks.run(SEEDS_OF_CANARY, disk -> crash(disk, new ForgetfulLog(disk.file("numbers")))))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("fails with seed ")
                .hasMessageContaining("POWER_LOSS, ")
                .hasMessageContaining("crash in boot 1, numbers: ");
    }

    @Test
    void logThatIgnoresAFailedForceIsCaught() {
        assertThatThrownBy(() -> SeededDisks.run(SEEDS_OF_CANARY, disk -> {
                    disk.faults().add(FaultRule.of(DiskFault.FAILED_FORCE).chance(0.2));
                    crash(disk, new RetryingLog(disk.file("numbers")));
                }))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("FAILED_FORCE at the force of numbers");
    }

    private static final class ForgetfulLog extends NumberLog {
        ForgetfulLog(SimulatedFile file) {
            super(file);
        }

        @Override
        void commit() {
            // no force
        }
    }

    /** Takes the success of a second force for that of the first. */
    private static final class RetryingLog extends NumberLog {
        RetryingLog(SimulatedFile file) {
            super(file);
        }

        @Override
        void commit() throws IOException {
            try {
                super.commit();
            } catch (DiskCrashedException e) {
                throw e;
            } catch (IOException e) {
                commit();
            }
        }
    }
}
