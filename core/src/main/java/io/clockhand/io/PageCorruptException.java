// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.io;

import java.io.IOException;

/**
 * A page was read whose checksum, or tag of encryption, is not that of its bytes: it was torn or zeroed, some bits have
 * flipped, or it holds the bytes of another page. See {@link ChecksummedPageStore} and {@link EncryptedPageStore}.
 */
public final class PageCorruptException extends IOException {
    /** Instead of the number of the file: the store has none. */
    public static final int NO_FILE = -1;

    private static final long serialVersionUID = 1L;

    /** The name of the store. */
    private final String store;
    /** The number of the file. */
    private final int file;
    /** The number of the page. */
    private final long page;
    /** The checksum that the bytes have. */
    private final int expected;
    /** The checksum in the page. */
    private final int found;
    /** Whether all bytes are zero. */
    private final boolean zero;

    /**
     * Makes the exception of a store with checksums.
     *
     * @param store the name of the page's store
     * @param file the number that the engine has given the file
     * @param page the number of the page in the file
     * @param expected the checksum of the bytes that were read
     * @param found the checksum that is stored in the page
     * @param zero whether all bytes of the page are zero
     */
    public PageCorruptException(String store, int file, long page, int expected, int found, boolean zero) {
        super("page " + page + " of " + store + " (file " + file + ") is corrupt: the checksum of its bytes is "
                + hex(expected) + ", but " + hex(found) + " is stored in it; "
                + (zero
                        ? "the page is all zeros: it was never written, or was zeroed"
                        : "it was torn or changed on the device, or holds the bytes of another page; or"
                                + " the file number, the offset of the checksum or the page size is not the one"
                                + " it was written with"));
        this.store = store;
        this.file = file;
        this.page = page;
        this.expected = expected;
        this.found = found;
        this.zero = zero;
    }

    /**
     * Makes the exception of a store without checksums, which knows in another way that the page is corrupt.
     *
     * @param store the name of the page's store
     * @param page the number of the page in the file
     * @param reason how the store knows, and what may have happened
     * @param zero whether all bytes of the page are zero
     */
    public PageCorruptException(String store, long page, String reason, boolean zero) {
        super("page " + page + " of " + store + " is corrupt: " + reason);
        this.store = store;
        this.file = NO_FILE;
        this.page = page;
        this.expected = 0;
        this.found = 0;
        this.zero = zero;
    }

    /**
     * Makes an exception of the same page with a stack trace of its own, for another thread.
     *
     * @param other the exception, which becomes the cause of this one
     */
    public PageCorruptException(PageCorruptException other) {
        super(other.getMessage(), other);
        this.store = other.store;
        this.file = other.file;
        this.page = other.page;
        this.expected = other.expected;
        this.found = other.found;
        this.zero = other.zero;
    }

    private static String hex(int checksum) {
        return String.format("0x%08x", checksum);
    }

    /** {@return the name of the page's store, for a file its path} */
    public String store() {
        return store;
    }

    /** {@return the number that the engine has given the file; {@link #NO_FILE} if its store has no checksums} */
    public int file() {
        return file;
    }

    /** {@return the number of the page in the file} */
    public long page() {
        return page;
    }

    /**
     * {@return the checksum of the bytes that were read, which a valid page would have; 0, which no checksum is, if the
     * store has no checksums}
     */
    public int expected() {
        return expected;
    }

    /** {@return the checksum that is stored in the page; 0 if the store has no checksums} */
    public int found() {
        return found;
    }

    /** {@return whether all bytes of the page are zero, as those of a page that was never written} */
    public boolean isZero() {
        return zero;
    }
}
