// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.pages.driver;

import io.clockhand.workbench.workload.Workload;

/** The pages that one thread refers to, one after the other; goes on for ever. Not thread-safe. */
public interface PageStream {
    /**
     * The references of a thread to the pages of a workload, for example of a recorded trace.
     *
     * @param thread from 0
     * @param threads that share the references
     * @param spread the distance between the pages of adjacent keys
     */
    static PageStream of(Workload workload, int thread, int threads, int spread) {
        Workload.References references = workload.references(thread, threads);
        return () -> {
            int next = references.next();
            return next < 0 ? ~((long) ~next * spread) : (long) next * spread;
        };
    }

    /** The page of the next reference, from 0; or its complement, {@code ~page}, which is negative, of a write. */
    long next();
}
