// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.frame;

/**
 * The word that says which buffer holds the page of a frame. A page-in is decided by one CAS of it.
 *
 * <table>
 * <caption>Values</caption>
 * <tr><th>word</th><th>meaning</th><th>written by</th></tr>
 * <tr><td>0</td><td>no buffer: a frame that was never used, or gave its buffer away</td><td>-</td></tr>
 * <tr><td>b + 1</td><td><i>loaded</i>: buffer b holds the page</td><td>by CAS from <i>reserved</i>, by any thread that
 * has pinned the frame and read the page into b; it may be another buffer than the one reserved. By a release store
 * where only the thread that has mapped the page reads it</td></tr>
 * <tr><td>−(b + 1)</td><td><i>reserved</i>: nothing is loaded, buffer b belongs to the thread that owns the frame,
 * or has mapped it</td><td>by the owner, under its claim</td></tr>
 * <tr><td>−(2⁴⁰ + b + 1)</td><td><i>reserved in a run</i>: likewise, and the thread reads other pages in the same
 * call, so others wait for it</td><td>by the owner, under its claim</td></tr>
 * <tr><td>−2⁶³</td><td><i>failed</i>: the thread that mapped the page could not read it</td><td>by CAS from
 * <i>reserved</i> or <i>reserved in a run</i>, by that thread</td></tr>
 * </table>
 */
public final class BufferWord {
    /** No buffer. */
    public static final long NONE = 0;
    /** The page could not be read. */
    public static final long FAILED = Long.MIN_VALUE;

    private static final long RUN = 1L << 40;

    private BufferWord() {}

    /**
     * {@return the word of a loaded buffer}
     *
     * @param buffer its number
     */
    public static long loaded(int buffer) {
        return buffer + 1L;
    }

    /**
     * {@return the word of a reserved buffer}
     *
     * @param buffer its number
     */
    public static long reserved(int buffer) {
        return -(buffer + 1L);
    }

    /**
     * {@return the word of a buffer reserved in a run}
     *
     * @param buffer its number
     */
    public static long reservedInRun(int buffer) {
        return -(RUN + buffer + 1L);
    }

    /**
     * {@return whether the page is read together with others}
     *
     * @param word a word
     */
    public static boolean isInRun(long word) {
        return word < -RUN && word != FAILED;
    }

    /**
     * {@return whether a buffer holds the page}
     *
     * @param word a word
     */
    public static boolean isLoaded(long word) {
        return word > 0;
    }

    /**
     * {@return whether the frame has a buffer}
     *
     * @param word a word
     */
    public static boolean hasBuffer(long word) {
        return word != NONE && word != FAILED;
    }

    /**
     * {@return the number of the buffer that holds the page}
     *
     * @param word a word of which {@link #isLoaded} is true
     */
    static int loadedBuffer(long word) {
        return (int) word - 1;
    }

    /**
     * {@return the number of the buffer}
     *
     * @param word a word that has one
     */
    public static int buffer(long word) {
        return (int) (Math.abs(word) - 1);
    }
}
