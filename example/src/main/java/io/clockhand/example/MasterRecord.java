// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.example;

import io.clockhand.io.ChecksummedPageStore;
import io.clockhand.io.PageCorruptException;
import io.clockhand.io.PageStore;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Shows how the place where recovery begins survives a crash: two slots that are written in turn, each a page with a
 * checksum, so one is whole whenever the other one is torn. Sources: Mohan et al., ARIES, TODS 17(1), 1992, §5.4; for
 * the slots, Challis, Database Consistency and Integrity in a Multi-User Environment, 1978.
 */
final class MasterRecord implements Closeable {
    private static final int PAGE_BYTES = 4096;
    private static final int SLOTS = 2;

    /**
     * Where recovery begins.
     *
     * @param scanLsn where it begins to read the log: at the first record of a transaction that was active, or earlier
     * @param redoLsn the first record that pages may lack
     * @param pages how many pages the tree had; records that are read may name more
     * @param durableLsn an LSN up to which the log was durable
     * @param pageBytes the size of a page
     */
    record Checkpoint(long scanLsn, long redoLsn, long pages, long durableLsn, int pageBytes) {}

    private final PageStore store;
    private long sequence;

    MasterRecord(Storage storage) throws IOException {
        store = new ChecksummedPageStore(
                storage.pages("master", PAGE_BYTES), 0, PAGE_BYTES - ChecksummedPageStore.CHECKSUM_BYTES);
    }

    /** {@return the last checkpoint, or null if the store is new, or a crash has interrupted its creation} */
    Checkpoint read() throws IOException {
        Checkpoint last = null;
        boolean isCreated = false;
        for (int slot = 0; slot < SLOTS && slot < store.pages(); slot++) {
            ByteBuffer in = ByteBuffer.allocate(PAGE_BYTES);
            try {
                store.read(slot, in);
                long found = in.flip().getLong();
                if (found > sequence) {
                    sequence = found;
                    last = new Checkpoint(in.getLong(), in.getLong(), in.getLong(), in.getLong(), in.getInt());
                }
            } catch (PageCorruptException e) {
                isCreated |= slot > 0 && !e.isZero(); // the second slot is written when the first one is durable
            }
        }
        if (last == null && isCreated) {
            throw new IOException("both slots of " + store.name() + " are damaged");
        }
        return last;
    }

    /** Stores a checkpoint durably. */
    void write(Checkpoint checkpoint) throws IOException {
        ByteBuffer out = ByteBuffer.allocate(PAGE_BYTES);
        out.putLong(sequence + 1).putLong(checkpoint.scanLsn()).putLong(checkpoint.redoLsn());
        out.putLong(checkpoint.pages()).putLong(checkpoint.durableLsn()).putInt(checkpoint.pageBytes());
        store.write(sequence % SLOTS, out.clear());
        store.force();
        sequence++;
    }

    @Override
    public void close() throws IOException {
        store.close();
    }
}
