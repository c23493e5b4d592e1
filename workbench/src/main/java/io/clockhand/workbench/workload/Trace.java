// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.workload;

import io.clockhand.workbench.environment.CommandFailure;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;

/**
 * The references of a trace file, or of a program that makes them. Page ids of a trace may be any 64 bits: they become
 * numbers from 0, in the order in which they first appear.
 */
public final class Trace {
    /** The number of the page, or its complement, which is negative, of a write. */
    private final int[] references;

    private final int pages;
    private final int writes;
    private final Form form;

    private Trace(int[] references, int pages, Form form) {
        this.references = references;
        this.pages = pages;
        this.form = form;
        this.writes = (int) Arrays.stream(references).filter(page -> page < 0).count();
    }

    /**
     * How a trace was read.
     *
     * @param evidence why it was taken for that format: {@code option}, {@code name} or {@code content}
     */
    public record Form(TraceFormat format, String evidence) {
        @Override
        public String toString() {
            return format.label() + ", by " + evidence;
        }
    }

    /** The same, with the usual column of a CSV file. */
    public static Trace read(Path file, TraceFormat format) {
        return read(file, format, null);
    }

    /**
     * Reads a whole file, pipe or, of the name {@code -}, standard input, also one that gzip, xz or zstd has packed.
     *
     * @param format null to find out
     * @param column the name or the number, from 1, of the column of a CSV file that has the pages; null for {@code
     *     lbn}
     * @throws CommandFailure if it does not exist, is truncated, is binary and its format is not known, or has a line
     *     that cannot be read; the message names the file and the line
     */
    static Trace read(Path file, TraceFormat format, String column) {
        PageNumbers numbers = new PageNumbers();
        IntStream.Builder references = IntStream.builder();
        Form form = TraceFile.read(file, format, column, (page, isWrite) -> {
            int number = numbers.of(page);
            references.add(isWrite ? ~number : number);
        });
        if (numbers.count() == 0) {
            throw new CommandFailure(file + " holds no reference");
        }
        return new Trace(references.build().toArray(), numbers.count(), form);
    }

    /** All pages that a source hands over. */
    static Trace drawn(Consumer<LongConsumer> source) {
        PageNumbers numbers = new PageNumbers();
        IntStream.Builder references = IntStream.builder();
        source.accept(page -> references.add(numbers.of(page)));
        return new Trace(references.build().toArray(), numbers.count(), null);
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

    /** Null if it was drawn. */
    public Form form() {
        return form;
    }

    public Trace withoutWrites() {
        int[] reads = references;
        if (writes > 0) {
            reads = Arrays.stream(references)
                    .map(page -> page < 0 ? ~page : page)
                    .toArray();
        }
        return new Trace(reads, pages, form);
    }

    /** It begins anew after its last reference. */
    public Workload workload() {
        return Workloads.circle(pages, references);
    }

    /** Writes it in {@link TraceFormat#RW32BE}, which is read quickly. */
    public void write(Path file) throws IOException {
        try (TraceWriter writer = TraceWriter.create(file)) {
            for (int page : references) {
                writer.add(page < 0 ? ~page : page, page < 0);
            }
            writer.finish();
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
            if (2 * count >= numbers.length) {
                grow();
            }
            int slot = slot(page);
            if (numbers[slot] == 0) {
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
