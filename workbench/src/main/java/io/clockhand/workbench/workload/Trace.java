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
    /** The highest bit of an int. */
    private static final int WRITE = Integer.MIN_VALUE;

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

    /** As {@link #of}, with the usual column of a CSV file; {@code format} is null to find out. */
    public static Trace read(Path file, TraceFormat format) throws IOException {
        return of(file, TraceReading.of(format));
    }

    /**
     * Reads a whole file, pipe or, of the name {@code -}, standard input, also one that gzip, xz or zstd has packed.
     *
     * @throws IOException if it does not exist, is truncated, is binary and its format is not known, or has a line that
     * cannot be read; the message names the file and the line
     */
    public static Trace of(Path file, TraceReading reading) throws IOException {
        PageNumbers numbers = new PageNumbers();
        IntSequence references = new IntSequence();
        TraceForm form = TraceFile.read(file, reading, (page, isWrite) -> {
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

    /** How many different pages it refers to. */
    public int pages() {
        return pages;
    }

    /** How many references it has. */
    public int length() {
        return references.length;
    }

    /** How many of its references are marked as writes. */
    public int writes() {
        return writes;
    }

    /** How it was read; null if it was drawn. */
    public TraceForm form() {
        return form;
    }

    /** The same references, none of them marked. */
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
        return new Circle(pages, references);
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
}
