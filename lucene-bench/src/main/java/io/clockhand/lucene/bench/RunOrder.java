// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.lucene.bench;

/**
 * Play searches in a duel.
 *
 * @param index the directory of the index
 * @param directory gets the copies of the index
 * @param cacheBytes of a contender with a cache of its own
 * @param group the directory of the memory group that the child is in; null for none
 * @param limitRequest the file that asks for the limit of the group
 * @param results the directory with the results of each search
 * @param slices the file of the duel
 */
record RunOrder(
        Contender contender,
        Work work,
        int threads,
        String index,
        String directory,
        int pageBytes,
        long cacheBytes,
        String group,
        String limitRequest,
        String results,
        int searches,
        long seed,
        String slices) {}
