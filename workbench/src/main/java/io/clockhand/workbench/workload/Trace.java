// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.workload;

import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * The references of a trace file, or of a program that makes them. Page ids of a trace may be any 64 bits: they become
 * numbers from 0, in the order in which they first appear.
 */
public final class Trace {
    /** Marks a write in {@link TraceFormat#RW32BE}: the highest bit of an int. */
    static final int WRITE = Integer.MIN_VALUE;

    /** The number of the page, or its complement, which is negative, of a write. */
    private final int[] references;

    private final int pages;
    private final int writes;
    private final TraceForm form;

    private Trace(int[] references, int pages, TraceForm form) {
        this.references = references;
        this.pages = pages;
        this.form = form;
        this.writes = (int) Arrays.stream(references).filter(page -> page < 0).count();
    }

    /** The same, with the usual column of a CSV file. */
    public static Trace read(Path file, TraceFormat format) throws IOException {
        return read(file, format, null);
    }

    /**
     * Reads a whole file, pipe or, of the name {@code -}, standard input, also one that gzip, xz or zstd has packed.
     *
     * @param format null to find out
     * @param column the name or the number, from 1, of the column of a CSV file that has the pages; null for {@code
     *     lbn}
     * @throws IOException if it does not exist, is truncated, is binary and its format is not known, or has a line that
     *     cannot be read; the message names the file and the line
     */
    static Trace read(Path file, TraceFormat format, String column) throws IOException {
        PageNumbers numbers = new PageNumbers();
        IntSequence references = new IntSequence();
        TraceForm form = TraceFile.read(file, format, column, (page, isWrite) -> {
            int number = numbers.of(page);
            references.add(isWrite ? ~number : number);
        });
        if (references.length() == 0) {
            throw new IOException(file + " holds no reference");
        }
        return new Trace(references.toArray(), numbers.count(), form);
    }

    /** All pages that a source hands over. */
    static Trace drawn(Consumer<LongConsumer> source) {
        PageNumbers numbers = new PageNumbers();
        IntSequence references = new IntSequence();
        source.accept(page -> references.add(numbers.of(page)));
        return new Trace(references.toArray(), numbers.count(), null);
    }

    public int pages() {
        return pages;
    }

    public int length() {
        return references.length;
    }

    public int writes() {
        return writes;
    }

    /** How it was read; null if it was drawn. */
    public TraceForm form() {
        return form;
    }

    public Trace withoutWrites() {
        return writes == 0
                ? this
                : new Trace(
                        Arrays.stream(references)
                                .map(page -> page < 0 ? ~page : page)
                                .toArray(),
                        pages,
                        form);
    }

    /** It begins anew after its last reference. */
    public Workload workload() {
        return Workloads.circle(pages, references);
    }

    /** Writes it in {@link TraceFormat#RW32BE}, which is soon read. */
    public void write(Path file) throws IOException {
        try (DataOutputStream out =
                new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file), 1 << 16))) {
            for (int page : references) {
                out.writeInt(page < 0 ? ~page | WRITE : page);
            }
        }
    }

    /** Ints that are added one after the other. Not thread-safe. */
    static final class IntSequence {
        /** Of arrays that every JVM can make; a longer one is too much for its memory. */
        private static final int LONGEST = Integer.MAX_VALUE - 8;

        private int[] ints = new int[1 << 12];
        private int length;

        void add(int value) {
            if (length == ints.length) {
                ints = Arrays.copyOf(ints, length < LONGEST ? (int) Math.min(2L * length, LONGEST) : Integer.MAX_VALUE);
            }
            ints[length++] = value;
        }

        int length() {
            return length;
        }

        int[] toArray() {
            return Arrays.copyOf(ints, length);
        }
    }

    /**
     * Numbers for pages, from 0, in the order in which they first appear: a hash table with linear probing. Every
     * bit of a page decides on its slot, so pages that differ in high bits only do not cluster. Not thread-safe.
     */
    static final class PageNumbers {
        private long[] pages = new long[1 << 10];
        /** One more than the number of the page in the same slot; 0 in an empty one. */
        private int[] numbers = new int[1 << 10];

        private int count;

        int of(long page) {
            int slot = slot(page);
            if (numbers[slot] == 0) {
                if (2 * count >= numbers.length) {
                    grow();
                    slot = slot(page);
                }
                pages[slot] = page;
                numbers[slot] = ++count;
            }
            return numbers[slot] - 1;
        }

        int count() {
            return count;
        }

        /** Where the page is, or would be. */
        private int slot(long page) {
            int mask = numbers.length - 1;
            int slot = (int) Hash.mixed(page) & mask;
            while (numbers[slot] != 0 && pages[slot] != page) {
                slot = (slot + 1) & mask;
            }
            return slot;
        }

        private void grow() {
            long[] oldPages = pages;
            int[] oldNumbers = numbers;
            pages = new long[2 * oldPages.length];
            numbers = new int[2 * oldNumbers.length];
            for (int i = 0; i < oldNumbers.length; i++) {
                if (oldNumbers[i] != 0) {
                    int slot = slot(oldPages[i]);
                    pages[slot] = oldPages[i];
                    numbers[slot] = oldNumbers[i];
                }
            }
        }
    }
}
