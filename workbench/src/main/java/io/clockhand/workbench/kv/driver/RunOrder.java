// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.kv.driver;

/**
 * Play work on a store.
 *
 * @param folder of the store
 * @param cacheBytes the memory for pages
 * @param warms whether all of the store is read before
 * @param forced whether a transaction is durable when its call returns
 * @param entries that the store has
 * @param scanned entries of each scan
 * @param slices the file of the duel; null to fill the store
 */
public record RunOrder(
        Engine engine,
        Work work,
        int threads,
        String folder,
        long cacheBytes,
        boolean warms,
        boolean forced,
        long entries,
        int valueBytes,
        int scanned,
        long seed,
        String slices) {}
