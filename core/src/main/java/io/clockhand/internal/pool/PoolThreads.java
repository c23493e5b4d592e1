// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.pool;

import io.clockhand.internal.frame.PoolFailure;

/**
 * The threads of the library. A thread of the engine starts them when work comes, perhaps one that serves a request:
 * they inherit nothing of it, neither its context class loader, which an application server would never get rid of, nor
 * inheritable thread-locals, thread group and priority.
 */
public final class PoolThreads {
    private PoolThreads() {}

    /**
     * Creates a daemon thread. If an error ends it that says that frames of the thread were dropped, the pool fails.
     *
     * @param name its name
     * @param work its work
     * @param failure fails the pool
     * @return the thread, not started
     */
    @SuppressWarnings("ThreadPriorityCheck") // the ordinary one, not that of the thread that starts it
    public static Thread create(String name, Runnable work, PoolFailure failure) {
        Thread thread = inTopGroup(name, () -> {
            try {
                work.run();
            } catch (OutOfMemoryError e) {
                throw failure.failIfFramesWereDropped(e);
            }
        });
        thread.setDaemon(true);
        thread.setPriority(Thread.NORM_PRIORITY);
        try {
            thread.setContextClassLoader(null);
        } catch (SecurityException e) {
            // then it is that of the thread that starts it
        }
        return thread;
    }

    private static Thread inTopGroup(String name, Runnable work) {
        try {
            ThreadGroup group = Thread.currentThread().getThreadGroup();
            while (group.getParent() != null) {
                group = group.getParent();
            }
            return new Thread(group, work, name, 0, false);
        } catch (SecurityException e) { // then it is in the group of the thread that starts it
            return new Thread(null, work, name, 0, false);
        }
    }
}
