// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.zip.CRC32C;

/**
 * Adds a checksum to each page that is written to another store, and checks that of each page that is read from it.
 *
 * <p><b>The checksum</b> is the CRC-32C of the number of the file (4 bytes), the number of the page (8 bytes) and the
 * bytes of the page except the checksum, which includes the LSN if the engine keeps it in the page. All numbers are
 * big-endian, whatever the order of the buffer. The four bytes of the checksum lie where the engine chooses, in a
 * header or trailer of its own, which must not use them. If the CRC is 0, 1 is stored: a page of zeros is never valid.
 *
 * <p><b>Detected</b> by {@link #read}, which throws {@link PageCorruptException}: a page that was torn by a crash, one
 * whose bits have flipped, one that was zeroed, bytes of another page of the file, and bytes of another file. A change
 * within 32 adjacent bits is always detected, any other unless the two checksums happen to agree (one in four billion).
 * <em>Not detected</em> is a write that was lost as a whole: the page then holds its former bytes, which are valid.
 * Only the engine can tell, by the LSN.
 *
 * <p><b>Pages that were never written</b> are zero, those of an {@linkplain #extend extension} and those between the
 * former end and a page written behind it. So reading one throws, with {@link PageCorruptException#isZero}. The engine
 * must write a page before it reads it. A pool does: a page that is created is dirty until it was written. A page whose
 * creation was followed by a crash, before the page was written, is brought back by {@link
 * io.clockhand.page.PagedFile#redoCreation}.
 *
 * <p><b>Buffers.</b> The checksum is computed from the bytes of the buffers that are passed to the calls, so nobody may
 * change these bytes during the call: a writer passes a private copy of the page, and a reader publishes the page only
 * after the read. A write stores the checksum into its source. A source that is read-only is copied first, through a
 * buffer of this store. If a read throws {@link PageCorruptException}, the target holds the bytes that were found.
 *
 * <p>Reads, and writes from writable sources, allocate at most an object of some 20 bytes, which the compiler removes
 * where it inlines all calls. Thread-safe if the other store is.
 */
public final class ChecksummedPageStore extends ForwardingPageStore {
    /** The size of a checksum in a page, in bytes. */
    public static final int CHECKSUM_BYTES = Integer.BYTES;

    /** Instead of 0. */
    private static final int NOT_ZERO = 1;

    private final String name;
    private final int pageBytes;
    private final int file;
    private final int offset;
    private final List<ByteRange> ownBytes;
    /** For sources that are read-only: as many as were ever in use at the same time, each as large as its last run. */
    private final ConcurrentLinkedQueue<ByteBuffer> copies = new ConcurrentLinkedQueue<>();

    /**
     * Adds checksums to a store. Its pages must have been written with checksums of the same file and offset.
     *
     * @param store has the pages; closed and deleted with this store
     * @param file the number that the engine has given the file
     * @param offset where the checksum lies in each page, in bytes from its beginning; the engine does not use
     *     {@link #CHECKSUM_BYTES} bytes from there
     * @throws IllegalArgumentException if the number is negative, or a checksum at the offset does not lie in a page;
     *     or if the store is an {@link EncryptedPageStore}, which needs no checksums, and changes bytes that they cover
     */
    public ChecksummedPageStore(PageStore store, int file, int offset) {
        super(store);
        this.name = store.name();
        this.pageBytes = store.pageBytes();
        this.file = file;
        this.offset = offset;
        if (file < 0) {
            throw new IllegalArgumentException(
                    "the number of the file " + name + " is " + file + ", but negative" + " numbers are not valid");
        }
        if (store instanceof EncryptedPageStore) {
            throw new IllegalArgumentException("the pages of " + name + " are encrypted: they have a tag, which detects"
                    + " what a checksum detects, and which would change the bytes that the checksum covers");
        }
        if (offset < 0 || offset > pageBytes - CHECKSUM_BYTES) {
            throw new IllegalArgumentException("the checksum would lie at byte " + offset + " of each page of " + name
                    + "; it must lie between 0 and " + (pageBytes - CHECKSUM_BYTES));
        }
        for (ByteRange other : store.ownBytes()) {
            if (other.overlaps(offset, CHECKSUM_BYTES)) {
                throw new IllegalArgumentException("the checksum would lie at byte " + offset + " of each page of "
                        + name + ", where " + other + " lies already");
            }
        }
        List<ByteRange> all = new ArrayList<>(store.ownBytes());
        all.add(new ByteRange(offset, CHECKSUM_BYTES, "the checksum"));
        this.ownBytes = List.copyOf(all);
    }

    @Override
    public List<ByteRange> ownBytes() {
        return ownBytes;
    }

    /**
     * Reads a page and checks it.
     *
     * @throws PageCorruptException if its checksum is not that of its bytes
     */
    @Override
    public void read(long page, ByteBuffer target) throws IOException {
        int start = target.position();
        store.read(page, target);
        check(page, target, start);
    }

    /**
     * Reads adjacent pages in one run and checks them.
     *
     * @throws PageCorruptException of the first page whose checksum is not that of its bytes
     */
    @Override
    public void readRun(long first, ByteBuffer[] targets, int count) throws IOException {
        PageBatch.checkTargets(first, targets, count, pageBytes, name);
        int[] starts = new int[count];
        for (int i = 0; i < count; i++) {
            starts[i] = targets[i].position();
        }
        store.readRun(first, targets, count);
        long page = first;
        for (int i = 0; i < count; i++) {
            int end = targets[i].limit();
            for (int at = starts[i]; at < end; at += pageBytes) {
                check(page++, targets[i], at);
            }
            targets[i].position(end);
        }
    }

    private void check(long page, ByteBuffer target, int start) throws PageCorruptException {
        int expected = checksum(page, target, start);
        int found = bigEndian(target, target.getInt(start + offset));
        if (expected != found) {
            throw new PageCorruptException(name, file, page, expected, found, isZero(target, start));
        }
    }

    /** Writes a page, and stores its checksum into the source if that is writable. */
    @Override
    public void write(long page, ByteBuffer source) throws IOException {
        FilePageStore.checkTransfer(page, source, pageBytes, name);
        if (source.isReadOnly()) {
            writeCopy(page, source);
        } else {
            addChecksums(page, source);
            store.write(page, source);
        }
    }

    /** Writes adjacent pages in one run, and stores their checksums into the source if that is writable. */
    @Override
    public void writeRun(long first, ByteBuffer source) throws IOException {
        FilePageStore.checkRun(first, source, pageBytes, name);
        if (source.isReadOnly()) {
            writeCopy(first, source);
        } else {
            addChecksums(first, source);
            store.writeRun(first, source);
        }
    }

    /** Writes a batch to the other store, and stores the checksums into the source if that is writable. */
    @Override
    public void writeBatch(long[] pages, int from, int to, ByteBuffer source) throws IOException {
        PageBatch.check(pages, from, to, source, pageBytes, name);
        if (!source.isReadOnly()) {
            addChecksums(pages, from, source);
            store.writeBatch(pages, from, to, source);
            return;
        }
        ByteBuffer copy = takeCopy(source.remaining());
        try {
            addChecksums(pages, from, copy.put(source).flip());
            store.writeBatch(pages, from, to, copy);
        } finally {
            copies.offer(copy);
        }
    }

    private void writeCopy(long first, ByteBuffer source) throws IOException {
        int bytes = source.remaining();
        ByteBuffer copy = takeCopy(bytes);
        try {
            addChecksums(first, copy.put(source).flip());
            if (bytes == pageBytes) {
                store.write(first, copy);
            } else {
                store.writeRun(first, copy);
            }
        } finally {
            copies.offer(copy);
        }
    }

    private ByteBuffer takeCopy(int bytes) {
        ByteBuffer free = copies.poll();
        return free != null && free.capacity() >= bytes ? free.clear() : ByteBuffer.allocate(bytes);
    }

    private void addChecksums(long first, ByteBuffer pages) {
        int start = pages.position();
        long page = first;
        for (int at = start; at < pages.limit(); at += pageBytes) {
            addChecksum(page, pages, at);
            page++;
        }
        pages.position(start);
    }

    private void addChecksums(long[] numbers, int from, ByteBuffer pages) {
        int start = pages.position();
        int next = from;
        for (int at = start; at < pages.limit(); at += pageBytes) {
            addChecksum(numbers[next], pages, at);
            next++;
        }
        pages.position(start);
    }

    private void addChecksum(long page, ByteBuffer pages, int at) {
        pages.putInt(at + offset, bigEndian(pages, checksum(page, pages, at)));
    }

    /** {@return the checksum of the page that begins at a position; its end is the buffer's position afterwards} */
    private int checksum(long page, ByteBuffer bytes, int start) {
        int limit = bytes.limit();
        CRC32C crc = new CRC32C(); // the JVM removes it: nothing that is not inlined gets it
        for (int shift = Integer.SIZE - Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
            crc.update(file >>> shift);
        }
        for (int shift = Long.SIZE - Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
            crc.update((int) (page >>> shift));
        }
        crc.update(bytes.limit(start + offset).position(start));
        crc.update(bytes.limit(start + pageBytes).position(start + offset + CHECKSUM_BYTES));
        bytes.limit(limit);
        int value = (int) crc.getValue();
        return value == 0 ? NOT_ZERO : value;
    }

    private static int bigEndian(ByteBuffer bytes, int value) {
        return bytes.order() == ByteOrder.BIG_ENDIAN ? value : Integer.reverseBytes(value);
    }

    private boolean isZero(ByteBuffer bytes, int start) {
        for (int at = start; at < start + pageBytes; at++) {
            if (bytes.get(at) != 0) {
                return false;
            }
        }
        return true;
    }

    @Override
    public boolean needsFirstWrite() {
        return true;
    }

    @Override
    public boolean readsRuns() {
        return store.readsRuns();
    }

    @Override
    public void extend(long pages) throws IOException {
        store.extend(pages);
    }
}
