// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0

/**
 * A directory for Apache Lucene whose files are read through a pool of pages: {@link
 * io.clockhand.lucene.ClockhandDirectory} and the {@link io.clockhand.lucene.DirectoryPool} that many of them share.
 *
 * <p>No argument and no result is null, unless its documentation says so.
 *
 * @since 0.1.0
 */
package io.clockhand.lucene;
