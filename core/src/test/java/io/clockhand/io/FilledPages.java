// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.testkit.SimulatedFile;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Pages and bytes that tests of the simulated disk write and read: each page, or range, is filled with one value. */
final class FilledPages {
    static final int PAGE_BYTES = 4096;
    static final int SECTOR_BYTES = 512;
    static final int SECTORS = PAGE_BYTES / SECTOR_BYTES;

    private FilledPages() {}

    static ByteBuffer filled(int bytes, int value) {
        ByteBuffer buffer = ByteBuffer.allocate(bytes);
        while (buffer.hasRemaining()) {
            buffer.put((byte) value);
        }
        return buffer.flip();
    }

    static void write(PageStore store, long page, int value) throws IOException {
        store.write(page, filled(PAGE_BYTES, value));
    }

    /** {@return the value of each sector of a page} */
    static int[] sectors(PageStore store, long page) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(PAGE_BYTES);
        store.read(page, bytes);
        int[] values = new int[SECTORS];
        for (int at = 0; at < PAGE_BYTES; at++) {
            int sector = at / SECTOR_BYTES;
            values[sector] = bytes.get(sector * SECTOR_BYTES);
            assertThat(bytes.get(at)).as("byte %d of page %d", at, page).isEqualTo((byte) values[sector]);
        }
        return values;
    }

    /** {@return the value of a page whose sectors have all the same} */
    static int value(PageStore store, long page) throws IOException {
        int[] sectors = sectors(store, page);
        assertThat(sectors).containsOnly(sectors[0]);
        return sectors[0];
    }

    static void append(SimulatedFile file, int bytes, int value) throws IOException {
        ByteBuffer source = filled(bytes, value);
        while (source.hasRemaining()) {
            file.write(file.size(), source);
        }
    }

    /** {@return all bytes of a file} */
    static byte[] bytes(SimulatedFile file) throws IOException {
        ByteBuffer target = ByteBuffer.allocate((int) file.size());
        while (target.hasRemaining()) {
            assertThat(file.read(target.position(), target)).isPositive();
        }
        return target.array();
    }
}
