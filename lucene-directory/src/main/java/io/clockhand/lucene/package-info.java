// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0

/**
 * A directory for Apache Lucene whose files are read through a pool of pages: {@link
 * io.clockhand.lucene.ClockhandDirectory} and the {@link io.clockhand.lucene.DirectoryPool} that many of them share.
 */
package io.clockhand.lucene;
