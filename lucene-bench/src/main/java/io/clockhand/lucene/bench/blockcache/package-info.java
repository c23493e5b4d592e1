// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0

/**
 * A stand-in for the block cache of OpenSearch's storage encryption: blocks of files with reference counts in a
 * Caffeine cache. It is the contender {@code caffeine} of the benchmarks, and nothing else.
 */
package io.clockhand.lucene.bench.blockcache;
