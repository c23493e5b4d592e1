// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FrameMemoryTest {
    private long taken;

    @Test
    void buffersDoNotOverlap() {
        int buffers = 3_000; // two slabs, the second one not full
        FrameMemory memory = new FrameMemory(1024, buffers);
        Set<Integer> taken = new HashSet<>();
        for (int i = 0; i < buffers; i++) {
            int buffer = memory.poll();
            assertThat(taken.add(buffer)).isTrue();
            ByteBuffer bytes = memory.bytes(buffer);
            assertThat(bytes.remaining()).isEqualTo(1024);
            while (bytes.hasRemaining()) {
                bytes.putInt(buffer);
            }
        }
        assertThat(memory.poll()).isEqualTo(FrameMemory.NONE);
        for (int buffer : taken) {
            assertThat(memory.bytes(buffer).getInt(0)).isEqualTo(buffer);
            assertThat(memory.bytes(buffer).getInt(1020)).isEqualTo(buffer);
            memory.offer(buffer);
        }
        assertThat(memory.free()).isEqualTo(buffers);
    }

    @ParameterizedTest
    @ValueSource(ints = {512, 4096, 65_536})
    void buffersBeginAtMultiplesOfTheirSizeAndTakeTheStatedMemory(int pageBytes) {
        int buffers = (5 << 20) / pageBytes; // two slabs and a half
        FrameMemory memory = counted(pageBytes, buffers);
        for (int i = 0; i < buffers; i++) {
            assertThat(memory.bytes(memory.poll()).alignmentOffset(0, pageBytes))
                    .isZero();
        }
        assertThat(taken).isEqualTo(FrameMemory.directBytes(pageBytes, buffers));
    }

    @Test
    void memoryIsTakenOnFirstUse() {
        FrameMemory memory = counted(4096, 1 << 22); // 16 GiB
        assertThat(taken).isZero();
        memory.poll();
        assertThat(taken).isBetween(4096L, 65L << 20);
    }

    /** The JVM's count also falls whenever the buffers of another test are freed. */
    private FrameMemory counted(int pageBytes, int buffers) {
        return new FrameMemory(pageBytes, buffers, bytes -> {
            taken += bytes + pageBytes - 1;
            return DirectMemory.allocate(bytes, pageBytes);
        });
    }

    @Test
    void tooMuchMemoryNamesTheFlag() {
        assertThat(DirectMemory.limit()).isPositive();
        assertThatThrownBy(() -> DirectMemory.reserve(DirectMemory.limit() + 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("-XX:MaxDirectMemorySize=");
        DirectMemory.reserve(1).end(List.of());
    }

    @Test
    void bufferWhoseSlabCannotBeAllocatedStaysFree() {
        FrameMemory memory = new FrameMemory(1024, 4, bytes -> {
            throw new OutOfMemoryError("direct");
        });

        assertThatThrownBy(memory::poll).isInstanceOf(OutOfMemoryError.class);

        assertThat(memory.free())
                .as("free buffers after a slab could not be allocated")
                .isEqualTo(4);
    }

    /** A late reader asks for the views of a slab that was given back, so it gets those of the slab in its place. */
    @Test
    void viewsAreThoseOfTheSlabThatIsThere() {
        int ofASlab = 512;
        int buffer = ofASlab + 10;
        int offset = 10 * 4096;
        FrameMemory memory = new FrameMemory(4096, 2 * ofASlab);
        takeAll(memory, 2 * ofASlab);
        SlabViews first = memory.views(buffer);
        assertThat(memory.views(buffer)).isSameAs(first);
        for (int i = 0; i < 2 * ofASlab; i++) {
            memory.offer(i);
        }
        memory.setLimit(ofASlab);
        assertThat(memory.isShrunk()).isTrue();
        assertThat(memory.release()).isPositive();
        assertThat(memory.views(buffer)).isNotSameAs(first);
        memory.setLimit(2 * ofASlab);
        takeAll(memory, 2 * ofASlab);

        memory.putLong(buffer, 0, 77);

        assertThat(memory.views(buffer).readOnly().getLong(offset))
                .as("a number by the views of the slab that was obtained anew")
                .isEqualTo(77);
        memory.hide();
        memory.giveBack(false);
        assertThatThrownBy(() -> memory.views(buffer)).isInstanceOf(IllegalStateException.class);
    }

    private static void takeAll(FrameMemory memory, int buffers) {
        for (int i = 0; i < buffers; i++) {
            assertThat(memory.poll()).isNotEqualTo(FrameMemory.NONE);
        }
    }
}
