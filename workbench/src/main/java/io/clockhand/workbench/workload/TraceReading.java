// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.workload;

/**
 * How a trace is to be read.
 *
 * @param format null to find out
 * @param column the name or the number, from 1, of the column of a CSV file that has the pages; null for {@code lbn}
 * @param listener is notified while the trace is read
 */
public record TraceReading(TraceFormat format, String column, Listener listener) {

    /** Is notified of each chunk that has been read. */
    public interface Listener {
        /**
         * A chunk has been read.
         *
         * @param bytes so far, packed if the trace is
         * @param size of the file in bytes; negative if it is not known
         */
        void onRead(long bytes, long size);
    }

    /** Pages are in the usual column, and nobody is notified. */
    public static TraceReading of(TraceFormat format) {
        return new TraceReading(format, null, (bytes, size) -> {});
    }
}
