// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0

/**
 * The files of a page pool: their numbers, their growth and truncation, and prefetching from them. How a number becomes
 * free again is described in {@link io.clockhand.internal.file.FileTable}, truncation and removal in {@link
 * io.clockhand.internal.file.PageFile}.
 */
package io.clockhand.internal.file;
