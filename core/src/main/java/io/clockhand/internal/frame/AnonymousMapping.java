// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.frame;

import java.nio.ByteBuffer;

/**
 * Anonymous memory of the operating system, with huge pages advised. This is the class for Java 17 to 21, which have no
 * way to obtain it; Java 22 and later load the class of the same name in the multi-release part of the jar ({@code
 * src/main/java22}).
 */
final class AnonymousMapping {
    /** The size and the alignment of a huge page. */
    static final long HUGE_PAGE_BYTES = 1L << 21;

    private static final int FIRST_RELEASE = 22;

    private AnonymousMapping() {}

    /** {@return the reason why there is no such memory in this JVM; null if there may be} */
    static String obstacle() {
        return Runtime.version().feature() < FIRST_RELEASE
                ? "huge pages need Java " + FIRST_RELEASE + " or later"
                : "this jar has no part for Java " + FIRST_RELEASE + " and later";
    }

    /**
     * Maps zeros at an address that is a multiple of the size of a huge page.
     *
     * @param bytes the size
     * @param onUnmap called once, when the memory was unmapped
     * @return the mapping, or null if the operating system has refused it
     */
    static AnonymousMapping tryMap(long bytes, Runnable onUnmap) {
        return null;
    }

    /** {@return a part of the memory, which is not unmapped while the buffer or a view of it is reachable} */
    @SuppressWarnings("DoNotCallSuggester") // there is no object of this class
    ByteBuffer bytes(long offset, int size) {
        throw new IllegalStateException(obstacle());
    }

    /** Gives bytes back to the operating system; returns the number of bytes in whole pages of it. */
    @SuppressWarnings("DoNotCallSuggester") // there is no object of this class
    long discard(long offset, long size) {
        throw new IllegalStateException(obstacle());
    }
}
