// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.page;

import io.clockhand.internal.frame.FrameRef;
import java.io.IOException;
import java.util.concurrent.locks.Lock;

/**
 * Page-in under one lock, from the search for a frame to the end of the read: what a pool does whose policy's lock is
 * held during I/O. For comparisons only.
 *
 * <p>The lock is that of the policy. A removal takes it before it claims a frame: it would otherwise hold the claim
 * while it waits for the lock, whose owner may wait for a frame.
 */
final class SerializedPageIn implements Residency {
    private final Residency residency;
    private final Lock lock;

    SerializedPageIn(Residency residency, Lock lock) {
        this.residency = residency;
        this.lock = lock;
    }

    @Override
    public int pageIn(long id, FrameRef share) throws IOException {
        lock.lock();
        try {
            return residency.pageIn(id, share);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public int create(long id, long position) throws IOException {
        lock.lock();
        try {
            return residency.create(id, position);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void pageIn(PageRun run, FrameRef share) throws IOException {
        lock.lock();
        try {
            residency.pageIn(run, share);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean tryRemove(int frame, long id, boolean writes) throws IOException {
        lock.lock();
        try {
            return residency.tryRemove(frame, id, writes);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean dropClean(int frame, long id) {
        lock.lock();
        try {
            return residency.dropClean(frame, id);
        } finally {
            lock.unlock();
        }
    }
}
