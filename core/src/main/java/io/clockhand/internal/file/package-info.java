// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0

/** The files of a page pool: their growth and truncation, and prefetching from them. */
package io.clockhand.internal.file;
