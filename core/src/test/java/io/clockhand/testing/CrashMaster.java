// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.testing;

import io.clockhand.testkit.SimulatedFile;
import java.io.IOException;
import java.nio.ByteBuffer;

/** The master record of an engine whose disk crashes: two slots in turn, so that one is whole. */
public final class CrashMaster {
    private static final long SLOT = 512;
    private final SimulatedFile file;
    private long sequence;
    private long other;

    CrashMaster(SimulatedFile file) {
        this.file = file;
    }

    /**
     * Stores the position of a checkpoint.
     *
     * @param redo the position
     * @throws IOException if the disk has crashed
     */
    public void store(long redo) throws IOException {
        store(redo, 0);
    }

    /**
     * Stores the position of a checkpoint, and another number of the engine.
     *
     * @param redo the position
     * @param other the other number
     * @throws IOException if the disk has crashed
     */
    public synchronized void store(long redo, long other) throws IOException {
        sequence++;
        ByteBuffer slot = ByteBuffer.allocate(32);
        slot.putLong(sequence).putLong(redo).putLong(other);
        slot.putLong(CrashLog.checksum(slot)).flip();
        for (long at = SLOT * (sequence % 2); slot.hasRemaining(); ) {
            at += file.write(at, slot);
        }
        file.force();
    }

    /**
     * {@return the position of the last checkpoint, or of the first record}
     *
     * @throws IOException if the disk has crashed
     */
    public synchronized long recover() throws IOException {
        long redo = CrashLog.RECORD;
        for (int which = 0; which < 2; which++) {
            ByteBuffer slot = ByteBuffer.allocate(32);
            file.read(which * SLOT, slot);
            if (!slot.hasRemaining() && CrashLog.checksum(slot) == slot.getLong(24) && slot.getLong(0) > sequence) {
                sequence = slot.getLong(0);
                redo = slot.getLong(8);
                other = slot.getLong(16);
            }
        }
        return redo;
    }

    /** {@return the other number, after {@link #recover}; 0 if there was no checkpoint} */
    public synchronized long other() {
        return other;
    }
}
