// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.testing.Workers;
import io.clockhand.testing.Workers.Worker;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Interrupts of a thread that is inside a channel. */
class FileChannelsTest {
    @RegisterExtension
    private final Workers workers = new Workers();

    private static FileChannels open(Path file, int count) throws IOException {
        return FileOpening.open(file, 512, EnumSet.of(FileOption.READ_ONLY), count)
                .channels();
    }

    @Test
    void channelIsOpenedByTheThreadThatUsesIt(@TempDir Path folder) throws IOException {
        Path file = Files.write(folder.resolve("pages.db"), new byte[] {1, 2, 3, 4});
        FileChannels channels = open(file, 4);
        try {
            assertThat(channels.apply(FileChannel::size)).isEqualTo(4);
            assertThat(channels.opened()).isEqualTo(1);
            for (int thread = 0; thread < 8; thread++) {
                assertThat(workers.start(() -> channels.apply(FileChannel::size))
                                .result())
                        .isEqualTo(4);
            }
            assertThat(channels.opened()).isBetween(2, 4);
        } finally {
            assertThat(channels.close()).isNull();
        }
    }

    @Test
    void threadReadsAFileThatHasAnotherName(@TempDir Path folder) throws IOException {
        Path file = Files.write(folder.resolve("pages.db"), new byte[] {1, 2, 3, 4});
        FileChannels channels = open(file, 64);
        try {
            Files.move(file, folder.resolve("moved.db"));
            for (int thread = 0; thread < 8; thread++) {
                assertThat(workers.start(() -> channels.apply(FileChannel::size))
                                .result())
                        .isEqualTo(4);
            }
            channels.closeForTest();
            assertThat(channels.apply(FileChannel::size))
                    .as("bytes, after an interrupt")
                    .isEqualTo(4);
        } finally {
            assertThat(channels.close()).isNull();
        }
    }

    /** A force that has failed succeeds when it is repeated, though the system has dropped what it could not write. */
    @Test
    void forceThatAnInterruptHasEndedIsNotRepeated() {
        AtomicInteger forces = new AtomicInteger();
        FileChannel interrupted = new StingyChannel(512, 1) {
            @Override
            public void force(boolean metaData) throws IOException {
                forces.incrementAndGet();
                close();
                throw new ClosedByInterruptException(); // in the place of what the device has reported
            }
        };
        assertThatThrownBy(() -> FileChannels.forceOnce(interrupted))
                .as("a force with an interrupt")
                .isInstanceOf(IOException.class)
                .isNotInstanceOf(ClosedChannelException.class);
        assertThatThrownBy(() -> FileChannels.forceOnce(interrupted))
                .as("a force of a channel that was closed before")
                .isInstanceOf(ClosedChannelException.class);
        assertThat(forces).hasValue(1);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void forceUsesNoChannelThatAnInterruptCloses(@TempDir Path folder) throws IOException {
        Path file = Files.write(folder.resolve("pages.db"), new byte[512]);
        FileChannels channels = open(file, 1);
        try {
            channels.closeForTest();
            Thread.currentThread().interrupt();
            channels.force();
            assertThat(Thread.interrupted()).as("the flag is kept").isTrue();
            channels.closeForTest();
            assertThat(channels.opensAgain())
                    .as("a channel was opened to force the file")
                    .isFalse();
        } finally {
            assertThat(channels.close()).isNull();
        }
    }

    /** The system gives the number of a closed descriptor to the next file, which the force would be of then. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void descriptorStaysOpenUntilAForceHasEnded(@TempDir Path folder) throws IOException {
        Path file = Files.write(folder.resolve("pages.db"), new byte[512]);
        FileChannels channels = open(file, 1);
        Descriptor forced = channels.beginForce();
        assertThat(channels.close()).isNull();
        assertThat(channels.isClosed()).isTrue();
        assertThatCode(forced::force)
                .as("a force by the descriptor, which a close has left to it")
                .doesNotThrowAnyException();
        channels.endForce();

        assertThatThrownBy(forced::force)
                .as("a force by the descriptor, which the end of the last one has closed")
                .isInstanceOf(IOException.class);
        assertThatThrownBy(channels::force).hasMessageContaining("the store is closed");
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void closedFileIsNotUsedThoughAForceKeepsItsDescriptors(@TempDir Path folder) throws IOException {
        Path file = Files.write(folder.resolve("pages.db"), new byte[512]);
        FileChannels channels = open(file, 1);
        channels.closeForTest();
        channels.apply(FileChannel::size); // by a channel that only the end of its descriptor closes
        channels.beginForce();
        channels.close();

        assertThatThrownBy(() -> channels.apply(FileChannel::size))
                .as("a use of a closed file during a force")
                .hasMessageContaining("the store is closed");
        channels.endForce();
    }

    /** So that the file can be opened again when the close has returned. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void closeWaitsForAForceThatEnds(@TempDir Path folder) throws IOException {
        Path file = Files.write(folder.resolve("pages.db"), new byte[512]);
        FileChannels channels = open(file, 1);
        Descriptor forced = channels.beginForce();
        Worker<Void> closing = workers.run(channels::close);
        closing.awaitParkedOrDone();
        channels.endForce();
        closing.result();

        assertThatThrownBy(forced::force)
                .as("a force by a descriptor that is closed")
                .isInstanceOf(IOException.class);
    }

    @Test
    void interruptInsideAChannelRepeatsTheOperationAndIsRestored(@TempDir Path folder) throws IOException {
        Path file = Files.write(folder.resolve("pages.db"), new byte[] {1, 2, 3, 4});
        FileChannels channels = open(file, 1);
        try {
            AtomicInteger calls = new AtomicInteger();
            ByteBuffer target = ByteBuffer.allocate(4);
            long read = channels.apply(channel -> {
                if (calls.getAndIncrement() == 0) {
                    Thread.currentThread().interrupt(); // which closes the channel
                }
                return channel.read(target.clear(), 0);
            });
            assertThat(Thread.interrupted()).as("the flag is set again").isTrue();
            assertThat(read).isEqualTo(4);
            assertThat(calls).hasValue(2);
            assertThat(target.array()).containsExactly(1, 2, 3, 4);
        } finally {
            assertThat(channels.close()).isNull();
        }
    }
}
