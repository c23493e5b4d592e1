// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;
import java.util.function.LongPredicate;
import java.util.zip.CRC32C;

/**
 * Tells whether the images in a journal belong to a store: the name that the store had, and the checksums of some of
 * its pages, when the journal was last cleared. The journal begins with them.
 *
 * <p><b>Why a page can tell.</b> When a journal is cleared, all pages of its store are on the device. From then on a
 * page is overwritten only after its image is in the journal. So a page that has no image there has the bytes that it
 * had, unless it was truncated: then it is missing, or zero, and tells nothing. If it has others, the store is another
 * one, or an older copy, or was written without the journal since. If it has them, the images belong to the store,
 * whatever its name is now: a store can be copied or moved with its journal.
 *
 * <p>If no page can tell, since all of them have images or are zero, the names must be equal. A store that has just
 * been created has no images in any journal.
 *
 * <p><b>Which pages.</b> The last one of each batch, up to {@value #MOST_PAGES}: an older copy of the store has other
 * ones. But none if the store changes bytes of the images, as one with checksums does. When the store is opened, some
 * that are spread over it. No page of zeros, since many files have one.
 *
 * <p>Not thread-safe: {@link PageJournal} calls it.
 */
final class JournalOrigin {
    private static final int MOST_PAGES = 32;
    private static final int MOST_NAME_BYTES = 255;
    private static final int ENTRY_BYTES = Long.BYTES + Integer.BYTES;

    private final byte[] name;
    private final int checksumOfZeros;
    private final long[] pages;
    private final int[] checksums;
    private int count;

    /**
     * Without pages.
     *
     * @param store its name counts
     * @param room the number of bytes that the journal has for this
     */
    JournalOrigin(PageStore store, int room) {
        this(shortened(store.name(), room), store.pageBytes(), mostPages(room));
    }

    private JournalOrigin(byte[] name, int pageBytes, int mostPages) {
        this.name = name;
        this.checksumOfZeros = checksum(ByteBuffer.allocate(pageBytes));
        this.pages = new long[mostPages];
        this.checksums = new int[mostPages];
    }

    /** {@return the end of a name, in which files differ sooner than in its beginning} */
    private static byte[] shortened(String name, int room) {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        int most = Math.min(MOST_NAME_BYTES, Math.max(0, room / 2 - Integer.BYTES));
        return bytes.length <= most ? bytes : Arrays.copyOfRange(bytes, bytes.length - most, bytes.length);
    }

    private static int mostPages(int room) {
        return Math.min(MOST_PAGES, Math.max(0, (room - room / 2 - Integer.BYTES) / ENTRY_BYTES));
    }

    private static int checksum(ByteBuffer page) {
        CRC32C crc = new CRC32C();
        crc.update(page);
        return (int) crc.getValue();
    }

    // --- while the journal is in use ---------------------------------------------------------------------------------

    /** Takes some pages of the store, which are on its device. */
    void sample(PageStore store, ByteBuffer buffer) throws IOException {
        long end = store.pages();
        long samples = Math.min(end, pages.length);
        for (long i = 0; i < samples; i++) {
            long page = samples == 1 ? 0 : (long) ((double) i / (samples - 1) * (end - 1));
            if (canRead(store, page, buffer)) {
                add(page, buffer);
            }
        }
    }

    /** Takes a page, which will be on the store's device when the journal is cleared. */
    void add(long page, ByteBuffer bytes) {
        int checksum = checksum(bytes);
        if (pages.length == 0 || checksum == checksumOfZeros) {
            return;
        }
        if (count == pages.length) {
            removeIf(oldest -> oldest == pages[0]);
        }
        pages[count] = page;
        checksums[count++] = checksum;
    }

    /** Forgets pages that are overwritten. */
    void removeIf(LongPredicate matching) {
        int kept = 0;
        for (int i = 0; i < count; i++) {
            if (!matching.test(pages[i])) {
                pages[kept] = pages[i];
                checksums[kept++] = checksums[i];
            }
        }
        count = kept;
    }

    boolean hasPages() {
        return count > 0;
    }

    // --- in the journal ----------------------------------------------------------------------------------------------

    /** Writes this, from the position on. */
    void put(ByteBuffer target) {
        target.putInt(name.length).put(name).putInt(count);
        for (int i = 0; i < count; i++) {
            target.putLong(pages[i]).putInt(checksums[i]);
        }
    }

    /** {@return what was written by {@link #put}, whose bytes are known to be right} */
    static JournalOrigin get(ByteBuffer source, int pageBytes) {
        byte[] name = new byte[source.getInt()];
        source.get(name);
        JournalOrigin origin = new JournalOrigin(name, pageBytes, source.getInt());
        while (origin.count < origin.pages.length) {
            origin.pages[origin.count] = source.getLong();
            origin.checksums[origin.count++] = source.getInt();
        }
        return origin;
    }

    // --- when it is opened again -------------------------------------------------------------------------------------

    /**
     * Checks that images belong to a store.
     *
     * @param store gets the images if they do
     * @param withImage the pages of which there is one
     * @param buffer gets pages
     * @throws IOException if they do not; the message says why
     */
    void check(PageStore store, Set<Long> withImage, ByteBuffer buffer) throws IOException {
        long end = store.pages();
        if (store.isNew()) {
            throw new IOException("it belongs to " + this + ", but " + store.name() + " has just been created");
        }
        boolean agrees = false;
        for (int i = 0; i < count; i++) {
            if (pages[i] < end && !withImage.contains(pages[i]) && canRead(store, pages[i], buffer)) {
                int found = checksum(buffer);
                if (found != checksums[i] && found != checksumOfZeros) {
                    throw new IOException("it belongs to " + this + " as it was when its page " + pages[i]
                            + " had other bytes than that of " + store.name()
                            + ": that is another store, an older copy, or was written without this journal since");
                }
                agrees |= found == checksums[i];
            }
        }
        if (!agrees && !Arrays.equals(name, shortened(store.name(), buffer.capacity() - PageJournal.HEADER_BYTES))) {
            throw new IOException("it belongs to " + this + ", not to " + store.name());
        }
    }

    /** {@return whether a page can be read} One that cannot tells nothing. */
    private static boolean canRead(PageStore store, long page, ByteBuffer buffer) {
        try {
            store.read(page, buffer.clear());
            buffer.flip();
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public String toString() {
        return "\"" + new String(name, StandardCharsets.UTF_8) + '"';
    }
}
