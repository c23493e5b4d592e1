// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.file;

import io.clockhand.internal.pool.PoolOptions;
import java.util.function.BooleanSupplier;

/** Makes the monitor of a file, which is package-private, accessible to the stress tests. */
public final class FileWait {
    private final FileMonitor monitor;

    public FileWait(PoolOptions options) {
        this.monitor = new FileMonitor(options, "a file");
    }

    /** {@return whether an attempt has succeeded in time} */
    public boolean await(BooleanSupplier attempt, long nanos) {
        return monitor.await(attempt, nanos);
    }

    /** Changes something under the lock, and makes the threads that wait try again. */
    public void change(Runnable change) {
        synchronized (monitor) {
            change.run();
            monitor.signalAll();
        }
    }
}
