// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/**
 * Images of pages in the store of a journal, in batches.
 *
 * <p><b>Layout.</b> A batch is a header page and, behind it, the images of a run of pages, or of pages that the header
 * lists. The journal begins with a header without images, behind which its {@link JournalOrigin} lies; the batches
 * follow without gaps:
 *
 * <pre>
 * journal page    0         1             2        3        4             5        6
 *                 header 7  header 8      image    image    header 9      image    image    (older batches, with
 *                 origin    2 from 30 on  page 30  page 31  2: 12 and 57  page 12  page 57   lower numbers)
 * </pre>
 *
 * <p>A header carries the number of its batch, the numbers of its pages, a checksum of its images and one of itself. It
 * uses the first {@value #HEADER_BYTES} bytes of its page. If its pages are no run, its first page is
 * {@value #LISTED}, and the list of their numbers follows, which its own checksum covers; all other bytes are zero. A
 * batch counts if both checksums are right and its number is the successor of that of the batch before it. The first
 * page of the journal's beginning is {@value #ORIGIN}; the length of the origin takes the place of the checksum of
 * images, and its own checksum covers the origin.
 *
 * <p><b>Numbers.</b> No header in the journal has a greater number than {@link #number}, the number of the next batch.
 * So behind a batch that was just written no older one has the next number. When a journal is opened, the numbers
 * continue far above those found, in case some were not readable.
 *
 * <p><b>Mark.</b> The first bytes of a header are the same in all headers of a journal. A new journal has a header page
 * with these bytes only, the mark, on its device before the first header is written over it. So a journal of which no
 * header is whole, as a crash has torn the first one, has the mark; if the mark itself is torn, all other bytes of the
 * journal are zero. Any other file is not a journal, and is not touched.
 *
 * <p>Not thread-safe: one thread of a {@link DoubleWritePageStore} at a time calls it, see {@link JournalWriters}.
 */
final class PageJournal {
    static final int HEADER_BYTES = 40;

    private static final long MAGIC = 0x436c6f636b446f75L; // "ClockDou"
    private static final int CHECKED_BYTES = HEADER_BYTES - Integer.BYTES;
    /** Instead of the first page of a run: the header lists its pages. */
    private static final long LISTED = -1;
    /** Instead of the first page of a run: the header is the beginning of the journal. */
    private static final long ORIGIN = -2;
    /** More than the number of batches that a journal can hold. */
    private static final long NUMBERS_PER_OPEN = 1L << 32;
    /** Of the next batch, if the journal must be cleared before. */
    private static final long NO_PLACE = Long.MAX_VALUE;

    private final PageStore journal;
    private final PageStore store;
    /** Whether a page in the store has the bytes of its image, and none that the store writes itself. */
    private final boolean storesImages;

    private final int pageBytes;
    private final long capacity;
    /** For headers to be written: the bytes behind a header, and the list of its pages, are zero. */
    private final ByteBuffer header;
    /** The numbers of pages that a header can list. */
    private final int mostListed;
    /** For all pages that are read. */
    private final ByteBuffer image;

    /** Of the pages that are in place when the journal is cleared. */
    private final JournalOrigin origin;
    /** The bytes behind the header that lie in {@code header} now: a list, or an origin. */
    private int behind;

    private long number = 1;
    /** The journal page at which the next batch begins. */
    private long next = NO_PLACE;
    /** Those that are whole. */
    private long batches;
    /** Whether a batch was begun since the journal was cleared; if it failed, it may be whole all the same. */
    private boolean used;
    /** Whether an append or a clearing has begun and not succeeded: a batch may be found that is not to be. */
    private boolean unsure;

    /** The fields of a header that was read; the list is null for a run. */
    private record Batch(long number, long first, int pages, int checksum, LongBuffer list) {
        long page(int index) {
            return list == null ? first + index : list.get(index);
        }
    }

    /**
     * The result of a search.
     *
     * @param begun whether the journal has a beginning
     * @param origin what it says of the store; null if the library was older than that
     * @param last the number of the last batch
     * @param end one behind the last journal page of the batches
     * @param newest from each page with an image to the journal page of its newest one
     */
    private record Found(
            boolean begun, JournalOrigin origin, long last, long batches, long end, Map<Long, Long> newest) {}

    /**
     * Makes the journal.
     *
     * @param journal its store
     * @param store has the pages
     * @param capacity the number of pages after which it is cleared, unless a single batch is longer
     */
    PageJournal(PageStore journal, PageStore store, long capacity) {
        this.journal = journal;
        this.store = store;
        this.storesImages = store.ownBytes().isEmpty();
        this.pageBytes = journal.pageBytes();
        this.capacity = capacity;
        this.header = ByteBuffer.allocateDirect(pageBytes);
        this.image = ByteBuffer.allocateDirect(pageBytes);
        this.mostListed = (pageBytes - HEADER_BYTES) / Long.BYTES;
        this.origin = new JournalOrigin(store, pageBytes - HEADER_BYTES);
    }

    String name() {
        return journal.name();
    }

    /** {@return whether there may be a batch, complete or not} */
    boolean isUsed() {
        return used;
    }

    /** {@return whether a batch whose append has failed, or that was cleared, may be found by the next open} */
    boolean mayHaveWrongBatch() {
        return unsure;
    }

    /**
     * Writes the newest image of each page that is found to the store, and clears the journal.
     *
     * @param checks whether the images must belong to the store, as far as that can be known
     * @return the number of images
     * @throws IOException if that failed, or the images belong to another store; it can be tried again, also after a
     *     crash
     */
    long recover(boolean checks) throws IOException {
        Found found = findBatches(Long.MAX_VALUE);
        if (!found.begun) {
            checkIsJournal();
        } else if (checks && found.origin != null && found.batches > 0) {
            found.origin.check(store, found.newest.keySet(), image);
        }
        if (found.batches > 0) {
            makeDurable(found.end);
        }
        copyImages(found, Long.MAX_VALUE);
        origin.sample(store, image);
        if (found.batches > 0 || origin.hasPages()) {
            store.force();
        }
        if (!found.begun) {
            create();
        } else {
            number = found.last + NUMBERS_PER_OPEN;
            journal.extend(capacity);
        }
        clear();
        return found.newest.size();
    }

    /**
     * Writes and forces the batches again that were found, before an image is copied over its page: a process that was
     * killed, or whose force has failed, may have left them in the operating system's cache only.
     */
    private void makeDurable(long end) throws IOException {
        for (long at = 0; at < end; at++) {
            journal.read(at, image.clear());
            journal.write(at, image.flip());
        }
        journal.force();
    }

    /** The numbers that are in use are not known, so all headers go before the mark is written. */
    private void create() throws IOException {
        journal.truncate(0);
        journal.force();
        journal.extend(capacity);
        journal.write(0, fillMark());
        journal.force();
    }

    /**
     * Writes the newest image of each page since the journal was cleared to the store once more. Older images are not
     * written: if this fails half-way, a page that had its newest image in place has it still. Nothing is forced.
     *
     * @param end images of pages from this one on are left out
     * @return the pages that have an image
     * @throws IOException if a batch is not found, so that nothing was written, or the images could not be written; it
     *     can be tried again
     */
    Set<Long> repeat(long end) throws IOException {
        if (batches == 0 || end == 0) {
            return Set.of();
        }
        Found found = findBatches(batches); // not one that failed
        if (found.batches < batches) {
            throw new IOException("only " + found.batches + " of " + batches + " batches in the journal " + name()
                    + " are valid: they have changed on its device");
        }
        copyImages(found, end);
        return found.newest.keySet();
    }

    private void copyImages(Found found, long end) throws IOException {
        for (Map.Entry<Long, Long> entry : found.newest.entrySet()) {
            if (entry.getKey() < end) {
                journal.read(entry.getValue(), image.clear());
                store.write(entry.getKey(), image.flip());
            }
        }
    }

    /** A file that was never a journal, such as that of the pages, is not emptied. */
    private void checkIsJournal() throws IOException {
        long pages = journal.pages();
        if (pages == 0) {
            return;
        }
        journal.read(0, image.clear());
        boolean valid = image.getLong(0) == MAGIC && image.getInt(Long.BYTES) == pageBytes;
        if (!valid) {
            valid = isTornFrom(fillMark());
            for (long at = 1; valid && at < pages; at++) {
                journal.read(at, image.clear());
                valid = isTornFrom(fillZeros());
            }
        }
        if (!valid) {
            throw new IOException(name() + " is not a journal of pages of " + pageBytes
                    + " bytes: pass the file that was the journal before, or a new one");
        }
    }

    /** {@return whether each byte of the image is that of a page, or zero since it was not written} */
    private boolean isTornFrom(ByteBuffer page) {
        for (int at = 0; at < pageBytes; at++) {
            byte found = image.get(at);
            if (found != 0 && found != page.get(at)) {
                return false;
            }
        }
        return true;
    }

    private Found findBatches(long most) throws IOException {
        long pages = journal.pages();
        Batch last = pages == 0 ? null : readHeader(0);
        Map<Long, Long> newest = new TreeMap<>();
        if (last == null || last.pages != 0) {
            return new Found(false, null, 0, 0, 0, newest);
        }
        JournalOrigin begun = last.first == ORIGIN ? JournalOrigin.get(image.position(HEADER_BYTES), pageBytes) : null;
        long found = 0;
        long at = 1;
        for (; at < pages && found < most; at += 1 + last.pages) {
            Batch batch = readHeader(at);
            if (batch == null
                    || batch.number != last.number + 1
                    || batch.pages > pages - at - 1
                    || !imagesAreValid(batch, at + 1)) {
                break;
            }
            for (int i = 0; i < batch.pages; i++) {
                newest.put(batch.page(i), at + 1 + i);
            }
            last = batch;
            found++;
        }
        return new Found(true, begun, last.number, found, at, newest);
    }

    /** {@return the header in a journal page, or null if there is no valid one} */
    private Batch readHeader(long at) throws IOException {
        journal.read(at, image.clear());
        long magic = image.flip().getLong();
        int bytes = image.getInt();
        long batchNumber = image.getLong();
        long first = image.getLong();
        int pages = image.getInt();
        int images = image.getInt();
        int inList = first == LISTED ? pages : 0;
        boolean valid = magic == MAGIC && bytes == pageBytes && pages >= 0 && inList <= mostListed;
        int covered = first == ORIGIN ? images : inList * Long.BYTES;
        valid &= covered >= 0 && covered <= pageBytes - HEADER_BYTES;
        if (!valid || image.getInt(CHECKED_BYTES) != checksumOf(image, covered)) {
            return null;
        }
        return new Batch(batchNumber, first, pages, images, first == LISTED ? listIn(image, inList) : null);
    }

    private static LongBuffer listIn(ByteBuffer page, int count) {
        LongBuffer list = LongBuffer.allocate(count);
        for (int i = 0; i < count; i++) {
            list.put(i, page.getLong(HEADER_BYTES + i * Long.BYTES));
        }
        return list;
    }

    private boolean imagesAreValid(Batch batch, long at) throws IOException {
        CRC32C crc = new CRC32C();
        for (int i = 0; i < batch.pages; i++) {
            journal.read(at + i, image.clear());
            crc.update(image.flip());
        }
        return batch.checksum == (int) crc.getValue();
    }

    /**
     * {@return whether a batch can be appended; else the journal must be cleared before}
     *
     * @param pages the number of its pages
     */
    boolean fits(int pages) {
        return next == 1 || next <= capacity - 1 - pages;
    }

    /**
     * {@return how many pages that are no run of one call can be appended as one batch at most; 1 or more} More than
     * one header for one force would not do: if the force failed, those behind the first could be found behind a later
     * batch.
     */
    int mostInBatch() {
        return (int) Math.max(1, Math.min(mostListed, capacity - 2));
    }

    /**
     * Appends a batch with the images of several calls, and forces it.
     *
     * @param group the images: of different pages; if they are no run, at most {@link #mostInBatch}
     * @throws IOException if that failed; the batch may be found nevertheless when the journal is opened again
     */
    void append(List<PageImages> group) throws IOException {
        clearBehind();
        boolean isRun = group.size() == 1 && group.get(0).isRun(); // needs no list, for which a small page has no space
        CRC32C crc = new CRC32C();
        int pages = 0;
        for (PageImages images : group) {
            crc.update(images.forJournal());
            pages += images.count();
            for (int i = 0; i < images.count() && !isRun; i++) {
                header.putLong(HEADER_BYTES + behind, images.page(i));
                behind += Long.BYTES;
            }
            origin.removeIf(images::contains);
        }
        used = true;
        unsure = true;
        // Several writes, as one would need a copy of the images. Their order is of no importance.
        journal.write(next, fillHeader(isRun ? group.get(0).page(0) : LISTED, pages, (int) crc.getValue()));
        long at = next + 1;
        for (PageImages images : group) {
            journal.writeRun(at, images.forJournal());
            at += images.count();
        }
        journal.force();
        PageImages last = group.get(group.size() - 1);
        if (storesImages) {
            origin.add(last.last(), last.lastForJournal(pageBytes));
        }
        number++;
        next = at;
        batches++;
        unsure = false;
    }

    /**
     * Removes all batches. Their images must have been forced in place.
     *
     * @throws IOException if that failed; no batch can be appended until it has succeeded
     */
    void clear() throws IOException {
        next = NO_PLACE;
        batches = 0;
        unsure = true;
        clearBehind();
        origin.put(header.clear().position(HEADER_BYTES));
        behind = header.position() - HEADER_BYTES;
        journal.write(0, fillHeader(ORIGIN, 0, behind));
        journal.force();
        number++;
        next = 1;
        used = false;
        unsure = false;
    }

    private void clearBehind() {
        for (; behind > 0; behind--) {
            header.put(HEADER_BYTES + behind - 1, (byte) 0);
        }
    }

    private ByteBuffer fillHeader(long first, int pages, int images) {
        header.clear().putLong(MAGIC).putInt(pageBytes).putLong(number).putLong(first);
        header.putInt(pages).putInt(images);
        return header.putInt(CHECKED_BYTES, checksumOf(header, behind)).clear();
    }

    private ByteBuffer fillMark() {
        return fillZeros().putLong(MAGIC).putInt(pageBytes).clear();
    }

    private ByteBuffer fillZeros() {
        header.clear();
        while (header.position() < HEADER_BYTES) {
            header.put((byte) 0);
        }
        return header.clear();
    }

    private static int checksumOf(ByteBuffer header, int covered) {
        CRC32C crc = new CRC32C();
        crc.update(header.clear().limit(CHECKED_BYTES));
        crc.update(header.limit(HEADER_BYTES + covered).position(HEADER_BYTES));
        header.clear();
        return (int) crc.getValue();
    }
}
