// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.pages.driver;

import io.clockhand.workbench.workload.Workload;

/** One thread's references of a workload, for example of a recorded trace. Not thread-safe. */
public final class WorkloadStream implements PageStream {
    private final Workload.References references;
    private final int spread;

    /**
     * Makes the stream of a thread.
     *
     * @param thread from 0
     * @param threads that share the references
     * @param spread the distance between the pages of adjacent keys
     */
    public WorkloadStream(Workload workload, int thread, int threads, int spread) {
        this.references = workload.references(thread, threads);
        this.spread = spread;
    }

    @Override
    public long next() {
        int next = references.next();
        return next < 0 ? ~((long) ~next * spread) : (long) next * spread;
    }
}
