// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.workload;

import java.util.Locale;

/**
 * How a trace was read.
 *
 * @param evidence why it was taken for that format
 * @param encoding of text, {@code UTF-8} or {@code UTF-16LE} or {@code UTF-16BE}; null for a binary format
 * @param packing {@code gzip}, {@code xz} or {@code zstd}; null if it is not packed
 */
public record TraceForm(TraceFormat format, Evidence evidence, String encoding, String packing) {

    /** The reason for a format. */
    public enum Evidence {
        OPTION("as stated"),
        NAME("after its name"),
        CONTENT("after its first lines");

        private final String words;

        Evidence(String words) {
            this.words = words;
        }

        /** As reports name it. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** {@code lirs, after its first lines, packed with gzip}. */
    @Override
    public String toString() {
        return format.label() + ", " + evidence.words
                + (encoding == null || encoding.equals("UTF-8") ? "" : ", " + encoding)
                + (packing == null ? "" : ", packed with " + packing);
    }
}
