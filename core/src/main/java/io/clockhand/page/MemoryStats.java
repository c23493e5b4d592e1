// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

/**
 * The memory in which the pages of a pool lie. Made by Clockhand only: later versions may add components.
 *
 * @param kind {@code native memory with huge pages advised}; or {@code direct buffers}, and the reason for them: for
 *     example that native access is not enabled, with the option of the JVM that enables it
 * @param bytes the memory that the pool has obtained, in bytes: of direct buffers as pages come; of native memory the
 *     address space of all pages, which takes memory as pages come
 */
public record MemoryStats(String kind, long bytes) {}
