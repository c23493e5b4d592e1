// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.io;

import java.io.IOException;

/**
 * A page was read whose checksum is not that of its bytes: it was torn or zeroed, some bits have flipped, or it holds
 * the bytes of another page. See {@link ChecksummedPageStore}.
 */
public final class PageCorruptException extends IOException {
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
     * Makes the exception.
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

    private static String hex(int checksum) {
        return String.format("0x%08x", checksum);
    }

    /** {@return the name of the page's store, for a file its path} */
    public String store() {
        return store;
    }

    /** {@return the number that the engine has given the file} */
    public int file() {
        return file;
    }

    /** {@return the number of the page in the file} */
    public long page() {
        return page;
    }

    /** {@return the checksum of the bytes that were read, which a valid page would have} */
    public int expected() {
        return expected;
    }

    /** {@return the checksum that is stored in the page} */
    public int found() {
        return found;
    }

    /** {@return whether all bytes of the page are zero, as those of a page that was never written} */
    public boolean isZero() {
        return zero;
    }
}
