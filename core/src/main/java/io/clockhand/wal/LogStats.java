// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.wal;

/**
 * What a {@link LogFile} has done since it was opened. Made by Clockhand only: later versions may add components.
 *
 * @param appends the number of records that were appended
 * @param bytes their size in the log, in bytes
 * @param commits the number of calls of {@link LogFile#makeDurable(long)} whose record was not durable yet
 * @param writes the number of writes of a buffer
 * @param forces the number of forces of a segment with records
 */
public record LogStats(long appends, long bytes, long commits, long writes, long forces) {}
