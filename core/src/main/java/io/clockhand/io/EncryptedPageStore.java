// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.io;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Encrypts and authenticates each page that is written to another store, by AES-256 in Galois/Counter Mode (GCM), and
 * decrypts and checks each page that is read from it.
 *
 * <p><b>Layout.</b> A page has the same size here and in the other store. The last {@link #OWN_BYTES} bytes of each
 * page belong to this store: nothing else may use them, and their values are not written. A page of P bytes is, on the
 * device, the ciphertext of its first P - 28 bytes, the tag (16 bytes), and the nonce (12 bytes). After a read the last
 * 28 bytes are the tag and the nonce, as they were found on the device. Page 0 of the other store is a header, so page
 * n of this store is page n + 1 there. Anybody can read the {@linkplain EncryptionKeys id of the master key} in it.
 *
 * <p><b>Keys.</b> The key of a file is derived from the master key and 32 random bytes in the header, by HKDF with
 * HMAC-SHA-256 (RFC 5869). So each file that {@link #create} has made has a key of its own; a copy of the file has the
 * same. Keys, values that they were derived from, and the plaintext of pages stay in the heap until the collector needs
 * the memory: this store does not protect against readers of the memory of the process. A file keeps its key: to change
 * it, copy the pages to a new file.
 *
 * <p><b>Nonces.</b> Each write of a page, or of the header, takes 96 fresh random bits, as NIST SP 800-38D, section
 * 8.2.2, provides for. Its section 8.3 allows 2<sup>32</sup> such writes for each key, that is for each file; then
 * the probability that any nonce was used twice is below 2<sup>-32</sup>. The store does not count writes. At 10,000 a
 * second that is five days, so copy the pages of a file that is written so much to a new one in time. Copies of a file
 * on the device share the limit.
 *
 * <p><b>Protected</b> against somebody who reads or changes the device: the bytes of each page, which cannot be read,
 * nor changed without an exception at the next {@link #read}. The number of the page is authenticated, so pages of a
 * file cannot change places. A page of another file does not fit, unless one is a copy of the other. The header is
 * authenticated when the file is opened. An error of the device is detected in the same way, so no checksum is needed.
 *
 * <p><b>Not protected:</b>
 * <ul>
 * <li>The name, the length and the id of the key of the file, which pages are written and when, and which were never
 * written, can be seen.
 * <li>A page that is replaced by an earlier version of itself is not detected, nor is the whole file, or the header
 * with its length in bytes. Only the engine can tell, by the LSN. A write that was lost is such a case.
 * <li>A file that is replaced by another one with the same master key is not detected, since its name is not
 * authenticated; nor is a page that comes from a copy of the file.
 * <li>A file that is cut at a page is not detected by this store, except that reads behind the end fail: the engine
 * must know the number of pages. A file that is extended has more pages than before, but none of the new ones can be
 * read: they are refused as corrupt, unless they are earlier versions of pages that had these numbers.
 * <li>A page that is overwritten by zeros looks as if it was never written: {@link PageCorruptException#isZero}.
 * </ul>
 *
 * <p><b>Pages that were never written</b> are zero on the device. Reading one throws {@link PageCorruptException}, with
 * {@code isZero}; so does reading any page that is not authentic, without it. The engine writes a page before it reads
 * it, as a pool does, and {@link io.clockhand.page.PagedFile#redoCreation} brings a page back whose creation was
 * followed by a crash: see {@link ChecksummedPageStore}.
 *
 * <p><b>Length.</b> The header has the length in bytes, so the last page may be incomplete, in any other store. Each
 * page counts with all its bytes, those of this store among them. {@link #setLengthBytes} puts zeros behind the end; a
 * write of the last page, or behind it, makes that page whole again, as in a {@link FilePageStore}. After a crash the
 * length may be that of before, or of all pages. The header lies in the first 512 bytes. The device must write these as
 * a whole or not at all: if a crash tears them the file is lost. A {@link DoubleWritePageStore} below sees to that.
 *
 * <p><b>With other stores.</b> The other store has no bytes of its own in the pages. A {@link DoubleWritePageStore} and
 * its journal go below: {@code EncryptedPageStore.open(DoubleWritePageStore.open(file, journal), keys)}; above, the
 * journal would have the text of the pages. A {@link ChecksummedPageStore} goes neither below nor above, where it would
 * find changed bytes in its pages.
 *
 * <p><b>Buffers.</b> Writes encrypt into buffers of this store, in direct memory and aligned for direct I/O; the source
 * stays as it is. Nobody may change it meanwhile. If a read throws {@link PageCorruptException} the target holds the
 * bytes that were found; of a run some pages may be decrypted. Of buffers and ciphers up to 32 are kept each: a buffer
 * for single pages takes less than two pages of direct memory, one for runs up to a little more than a megabyte.
 *
 * <p>Thread-safe if the other store is. The caller excludes other calls that change the length, or write the last page,
 * from {@link #setLengthBytes}, {@link #truncate} and {@link #extend}.
 */
public final class EncryptedPageStore extends ForwardingPageStore {
    /** The bytes at the end of each page that belong to the store. */
    public static final int OWN_BYTES = PageCipher.TRAILER_BYTES;

    private static final long HEADER_PAGES = 1;
    private static final long WHOLE = EncryptionHeader.WHOLE;
    /** A buffer for runs has at least this size. The store keeps it for later runs up to the greatest size. */
    private static final int LEAST_RUN_BYTES = 1 << 18;

    private static final int GREATEST_RUN_BYTES = 1 << 20;

    private final String name;
    private final int pageBytes;
    private final boolean isNew;
    private final EncryptionHeader header;
    private final SecureRandom random;
    private final FreeObjects<PageCipher> ciphers = new FreeObjects<>();
    /** Each for a page. */
    private final FreeObjects<ByteBuffer> pageBuffers = new FreeObjects<>();

    private final FreeObjects<ByteBuffer> runBuffers = new FreeObjects<>();

    /** Held while the header is written. */
    private final ReentrantLock headerLock = new ReentrantLock();
    /** The length in bytes if the last page may be incomplete, else WHOLE. Written under the lock, read without it. */
    private volatile long incomplete;

    private EncryptedPageStore(PageStore store, EncryptionHeader header, SecureRandom random, boolean isNew) {
        super(store);
        this.name = store.name();
        this.pageBytes = store.pageBytes();
        this.header = header;
        this.random = random;
        this.isNew = isNew;
        this.incomplete = header.length();
    }

    /**
     * Makes a file, with the newest key. Writes the header and does not force it: the first {@link #force} does. If
     * that fails, or a crash follows, the other store may have a page, and is deleted before this is tried again.
     *
     * @param store an empty store, with pages of 512 bytes or more; closed and deleted with the returned store. If this
     *     throws it stays open, and the caller closes it
     * @param keys has the master key, which is not asked for any more afterwards
     * @return the file
     * @throws IOException if the store has pages, the key cannot be had or has another size than 16, 24 or 32 bytes,
     *     the header cannot be written, or the JVM has no AES-GCM
     * @throws IllegalArgumentException if the store is read-only, has bytes of its own in each page, or has pages that
     *     are too small; or the id of the key is longer than 64 bytes
     */
    public static EncryptedPageStore create(PageStore store, EncryptionKeys keys) throws IOException {
        checkStore(store);
        if (store.isReadOnly()) {
            throw new IllegalArgumentException(store.name() + " is read-only, so no encrypted file can be made in it");
        }
        long pages = store.pages();
        if (pages != 0) {
            throw new IOException("cannot make an encrypted file of " + store.name() + ": it has " + pages
                    + " pages already; open it, or make a new file");
        }
        SecureRandom random = new SecureRandom();
        EncryptionHeader header = EncryptionHeader.create(store, keys, random);
        EncryptedPageStore created = new EncryptedPageStore(store, header, random, store.isNew());
        created.noteLength(WHOLE);
        return created;
    }

    /**
     * Opens a file that {@link #create} has made.
     *
     * @param store has the file; closed and deleted with the returned store. If this throws it stays open and
     *     unchanged, and the caller closes it
     * @param keys has the master key of the file, which is not asked for any more afterwards
     * @return the file
     * @throws IOException if it is no encrypted file, its header is damaged or cannot be read, its pages have another
     *     size, its key cannot be had or is another one than it was made with, or the JVM has no AES-GCM; the message
     *     tells which
     * @throws IllegalArgumentException if the store has bytes of its own in each page, or pages that are too small
     */
    public static EncryptedPageStore open(PageStore store, EncryptionKeys keys) throws IOException {
        checkStore(store);
        if (store.pages() < HEADER_PAGES) {
            throw new IOException("cannot open " + store.name() + " as an encrypted file: it is empty; create it by"
                    + " EncryptedPageStore.create");
        }
        ByteBuffer first = ByteBuffer.allocate(store.pageBytes());
        try {
            store.read(0, first);
        } catch (IOException e) {
            throw new IOException("cannot read the header of " + store.name() + ": " + e.getMessage(), e);
        }
        SecureRandom random = new SecureRandom();
        return new EncryptedPageStore(store, EncryptionHeader.read(store, first.flip(), keys, random), random, false);
    }

    private static void checkStore(PageStore store) {
        List<ByteRange> others = store.ownBytes();
        if (!others.isEmpty()) {
            throw new IllegalArgumentException("the pages of " + store.name()
                    + " cannot be encrypted, since each byte of them would be changed, and " + others.get(0)
                    + " belongs to a store below");
        }
        if (store.pageBytes() < EncryptionHeader.LEAST_PAGE_BYTES) {
            throw new IllegalArgumentException("the pages of " + store.name() + " have " + store.pageBytes()
                    + " bytes; the header of an encrypted file needs " + EncryptionHeader.LEAST_PAGE_BYTES);
        }
    }

    /** {@return whether {@link #create} has made the file, in a store that was new itself} */
    @Override
    public boolean isNew() {
        return isNew;
    }

    /** {@return true} */
    @Override
    public boolean needsFirstWrite() {
        return true;
    }

    /** {@return the last {@link #OWN_BYTES} bytes} */
    @Override
    public List<ByteRange> ownBytes() {
        return List.of(new ByteRange(pageBytes - OWN_BYTES, OWN_BYTES, "the nonce and tag of encryption"));
    }

    @Override
    public boolean readsRuns() {
        return store.readsRuns();
    }

    // --- reads -------------------------------------------------------------------------------------------------------

    /**
     * Reads a page, checks and decrypts it.
     *
     * @throws PageCorruptException if its tag is not that of its bytes and its number
     */
    @Override
    public void read(long page, ByteBuffer target) throws IOException {
        FilePageStore.checkTransfer(page, target, pageBytes, name);
        checkLast(page, 1);
        int start = target.position();
        try {
            store.read(page + HEADER_PAGES, target);
        } catch (IOException e) {
            throw failure("read", page, e);
        }
        PageCipher cipher = takeCipher();
        try {
            decrypt(cipher, page, target, start);
        } finally {
            ciphers.offer(cipher);
        }
    }

    /**
     * Reads adjacent pages in one run, checks and decrypts them.
     *
     * @throws PageCorruptException of the first page whose tag is not that of its bytes and its number
     */
    @Override
    public void readRun(long first, ByteBuffer[] targets, int count) throws IOException {
        int pages = PageBatch.checkTargets(first, targets, count, pageBytes, name);
        checkLast(first, pages);
        int[] starts = new int[count];
        for (int i = 0; i < count; i++) {
            starts[i] = targets[i].position();
        }
        try {
            store.readRun(first + HEADER_PAGES, targets, count);
        } catch (IOException e) {
            throw failure(pages == 1 ? "read" : "read the run that begins with", first, e);
        }
        PageCipher cipher = takeCipher();
        try {
            long page = first;
            for (int i = 0; i < count; i++) {
                for (int at = starts[i]; at < targets[i].limit(); at += pageBytes) {
                    decrypt(cipher, page++, targets[i], at);
                }
            }
        } finally {
            ciphers.offer(cipher);
        }
    }

    private void decrypt(PageCipher cipher, long page, ByteBuffer target, int at) throws IOException {
        boolean authentic;
        try {
            authentic = cipher.tryDecrypt(page, target, at);
        } catch (GeneralSecurityException e) {
            throw PageCipher.failure("cannot decrypt page " + page + " of " + name, e);
        }
        if (!authentic) {
            boolean zero = isZero(target, at);
            throw new PageCorruptException(
                    name,
                    page,
                    zero
                            ? "it is all zeros: it was never written, or was zeroed"
                            : "its tag is not that of its bytes: it was torn or changed on the device, or holds the"
                                    + " bytes of another page or another file",
                    zero);
        }
    }

    private boolean isZero(ByteBuffer bytes, int start) {
        for (int at = start; at < start + pageBytes; at++) {
            if (bytes.get(at) != 0) {
                return false;
            }
        }
        return true;
    }

    // --- writes ------------------------------------------------------------------------------------------------------

    /** Encrypts a page into a buffer of this store, and writes that. */
    @Override
    public void write(long page, ByteBuffer source) throws IOException {
        FilePageStore.checkTransfer(page, source, pageBytes, name);
        checkLast(page, 1);
        writeAdjacent(page, source);
    }

    /** Encrypts adjacent pages into a buffer of this store, and writes them in one run. */
    @Override
    public void writeRun(long first, ByteBuffer source) throws IOException {
        FilePageStore.checkRun(first, source, pageBytes, name);
        checkLast(first, source.remaining() / pageBytes);
        writeAdjacent(first, source);
    }

    private void writeAdjacent(long first, ByteBuffer source) throws IOException {
        int bytes = source.remaining();
        boolean single = bytes == pageBytes;
        growTo(first + bytes / pageBytes);
        ByteBuffer encrypted = takeBuffer(bytes);
        try {
            encrypt(first, null, 0, source, encrypted);
            if (single) {
                store.write(first + HEADER_PAGES, encrypted);
            } else {
                store.writeRun(first + HEADER_PAGES, encrypted);
            }
        } catch (IOException e) {
            throw failure(single ? "write" : "write the run that begins with", first, e);
        } finally {
            giveBack(encrypted);
        }
        source.position(source.limit());
    }

    /** Encrypts pages into a buffer of this store, and passes them on as one batch. */
    @Override
    public void writeBatch(long[] pages, int from, int to, ByteBuffer source) throws IOException {
        PageBatch.check(pages, from, to, source, pageBytes, name);
        checkLast(pages[to - 1], 1);
        long[] shifted = new long[to - from];
        for (int i = 0; i < shifted.length; i++) {
            shifted[i] = pages[from + i] + HEADER_PAGES;
        }
        growTo(pages[to - 1] + 1);
        ByteBuffer encrypted = takeBuffer(source.remaining());
        try {
            encrypt(0, pages, from, source, encrypted);
            store.writeBatch(shifted, 0, shifted.length, encrypted);
        } catch (IOException e) {
            throw failure("write the batch that begins with", pages[from], e);
        } finally {
            giveBack(encrypted);
        }
        source.position(source.limit());
    }

    /**
     * Encrypts all pages of a source. Moves no position.
     *
     * @param listed has the numbers of the pages from {@code from} on; null if they are adjacent
     */
    private void encrypt(long first, long[] listed, int from, ByteBuffer source, ByteBuffer encrypted)
            throws IOException {
        int start = source.position();
        PageCipher cipher = takeCipher();
        try {
            for (int done = 0; done < source.remaining(); done += pageBytes) {
                int index = done / pageBytes;
                long page = listed == null ? first + index : listed[from + index];
                cipher.encrypt(page, source, start + done, encrypted, done);
            }
        } catch (GeneralSecurityException e) {
            throw PageCipher.failure("nothing was encrypted", e);
        } finally {
            ciphers.offer(cipher);
        }
    }

    private PageCipher takeCipher() throws IOException {
        PageCipher free = ciphers.poll();
        if (free != null) {
            return free;
        }
        try {
            return new PageCipher(header.key().key(), random, pageBytes);
        } catch (GeneralSecurityException e) {
            throw PageCipher.failure("cannot use " + name, e);
        }
    }

    /** {@return a buffer of which some bytes remain, at an address that is a multiple of the page size} */
    private ByteBuffer takeBuffer(int bytes) {
        boolean single = bytes == pageBytes;
        ByteBuffer free = single ? pageBuffers.poll() : runBuffers.poll();
        if (free == null || free.capacity() < bytes) {
            int capacity = single ? bytes : Math.max(bytes, LEAST_RUN_BYTES / pageBytes * pageBytes);
            int alignment = Integer.lowestOneBit(pageBytes); // of a power of two the page size
            free = ByteBuffer.allocateDirect(capacity + alignment - 1)
                    .alignedSlice(alignment)
                    .limit(capacity)
                    .slice();
        }
        return free.clear().limit(bytes);
    }

    private void giveBack(ByteBuffer buffer) {
        if (buffer.capacity() == pageBytes) {
            pageBuffers.offer(buffer);
        } else if (buffer.capacity() <= GREATEST_RUN_BYTES) {
            runBuffers.offer(buffer);
        }
    }

    // --- length ------------------------------------------------------------------------------------------------------

    @Override
    public long pages() throws IOException {
        return Math.max(0, store.pages() - HEADER_PAGES);
    }

    /** {@return true} */
    @Override
    public boolean hasAnyLength() {
        return true;
    }

    /** {@return the length that was set, if it is one of as many pages as there are; else that of all pages} */
    @Override
    public long lengthBytes() throws IOException {
        long pages = pages();
        long length = incomplete;
        return length != WHOLE && pagesOf(length) == pages ? length : pages * pageBytes;
    }

    /** Writes zeros behind the end in the last page if it becomes shorter, then the header. */
    @Override
    public void setLengthBytes(long bytes) throws IOException {
        if (isReadOnly()) {
            throw new IOException("cannot set the length of " + name + ": it is open read-only");
        }
        long length = lengthBytes();
        if (bytes < 0 || pagesOf(bytes) != pagesOf(length)) {
            throw new IllegalArgumentException("cannot set the length of " + name + " to " + bytes + " bytes: it has "
                    + length + ", on " + pagesOf(length) + " pages");
        }
        if (bytes < length) {
            clearBehind(bytes);
        }
        noteLength(bytes % pageBytes == 0 ? WHOLE : bytes);
    }

    private void clearBehind(long bytes) throws IOException {
        long page = bytes / pageBytes;
        ByteBuffer last = ByteBuffer.allocate(pageBytes);
        try {
            read(page, last);
        } catch (PageCorruptException e) {
            return; // nobody can read what is behind the end
        }
        for (int at = (int) (bytes % pageBytes); at < pageBytes; at++) {
            last.put(at, (byte) 0);
        }
        write(page, last.flip());
    }

    private long pagesOf(long bytes) {
        return bytes / pageBytes + (bytes % pageBytes == 0 ? 0 : 1);
    }

    /** Before a write of the last page, or behind it: the page is whole then. */
    private void growTo(long pages) throws IOException {
        long length = incomplete;
        if (length != WHOLE && pages >= pagesOf(length)) {
            noteLength(WHOLE);
        }
    }

    private void noteLength(long length) throws IOException {
        headerLock.lock();
        try {
            ByteBuffer page = takeBuffer(pageBytes);
            try {
                seal(length, page);
                store.write(0, page);
            } catch (IOException e) {
                throw new IOException("cannot write the header of " + name + ": " + e.getMessage(), e);
            } finally {
                giveBack(page);
            }
            incomplete = length;
        } finally {
            headerLock.unlock();
        }
    }

    private void seal(long length, ByteBuffer page) throws IOException {
        PageCipher cipher = takeCipher();
        try {
            header.put(length, cipher, page);
        } catch (GeneralSecurityException e) {
            throw PageCipher.failure("it was not authenticated", e);
        } finally {
            ciphers.offer(cipher);
        }
    }

    @Override
    public void extend(long pages) throws IOException {
        StoreExtension.checkPages(pages, pageBytes, name);
        checkLast(0, pages);
        if (pages > pages()) {
            growTo(pages); // also if the extension fails: another thread may have written the last page meanwhile
        }
        try {
            store.extend(pages + HEADER_PAGES);
        } catch (IOException e) {
            throw new IOException("cannot extend " + name + " to " + pages + " pages: " + e.getMessage(), e);
        }
    }

    /**
     * A length in the header that is not that of the file counts no more: the file may have its number of pages then.
     */
    @Override
    public void truncate(long pages) throws IOException {
        FilePageStore.checkPages(pages, pageBytes, name);
        checkLast(0, pages);
        if (incomplete != WHOLE && pages < pages() && pagesOf(incomplete) != pages()) {
            noteLength(WHOLE);
        }
        store.truncate(pages + HEADER_PAGES);
    }

    /** The last page of any file is one less, for the header. */
    private void checkLast(long first, long count) {
        FilePageStore.checkPosition(first, count + HEADER_PAGES, pageBytes, name);
    }

    // --- passed on ---------------------------------------------------------------------------------------------------

    private IOException failure(String what, long page, IOException cause) {
        String message =
                "cannot " + what + " page " + page + " of " + name + ", whose header is page 0: " + cause.getMessage();
        if (cause instanceof EOFException) {
            EOFException end = new EOFException(message);
            end.initCause(cause);
            return end;
        }
        return new IOException(message, cause);
    }
}
