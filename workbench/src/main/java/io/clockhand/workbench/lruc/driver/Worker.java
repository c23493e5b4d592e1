// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc.driver;

import io.clockhand.workbench.lruc.pool.ComparedPool.PageUser;
import io.clockhand.workbench.pages.driver.Pace;
import io.clockhand.workbench.pages.driver.PageStream;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;

/**
 * One thread's references to the pages of a pool.
 *
 * <p>The counts can be read at any time, late by one reference; the histograms and the changes when the thread has
 * ended.
 */
final class Worker {
    /** A latency is known to one in a hundred. */
    private static final int DIGITS = 2;

    private final PageUser user;
    private final PageStream pages;
    /** Null if it plays as fast as it can. */
    private final Pace pace;

    private final AtomicLong operations = new AtomicLong();
    private final AtomicLong misses = new AtomicLong();
    private final Histogram missNanos = newHistogram();
    private final Histogram operationNanos = newHistogram();
    private long changes;

    Worker(PageUser user, PageStream pages, Pace pace) {
        this.user = user;
        this.pages = pages;
        this.pace = pace;
    }

    static Histogram newHistogram() {
        return new Histogram(DIGITS);
    }

    /** Waits for its turn if there is a pace. */
    void awaitTurn() {
        if (pace != null) {
            pace.await();
        }
    }

    /** Uses the next page; {@return the nanoseconds that took, as their complement if the page was missed} */
    long next() throws IOException {
        long next = pages.next();
        long begin = System.nanoTime();
        boolean missed = user.use(next < 0 ? ~next : next, next < 0);
        long nanos = System.nanoTime() - begin;
        operations.lazySet(operations.getPlain() + 1);
        if (missed) {
            misses.lazySet(misses.getPlain() + 1);
        }
        if (next < 0) {
            changes++;
        }
        return missed ? ~nanos : nanos;
    }

    /** Records what {@link #next} has returned. */
    void record(long latency) {
        long nanos = latency < 0 ? ~latency : latency;
        operationNanos.recordValue(nanos);
        if (latency < 0) {
            missNanos.recordValue(nanos);
        }
    }

    long operations() {
        return operations.get();
    }

    long misses() {
        return misses.get();
    }

    Histogram missNanos() {
        return missNanos;
    }

    Histogram operationNanos() {
        return operationNanos;
    }

    long changes() {
        return changes;
    }
}
