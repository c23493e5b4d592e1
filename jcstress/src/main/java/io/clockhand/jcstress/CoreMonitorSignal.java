// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import io.clockhand.internal.file.FileWait;
import java.util.concurrent.TimeUnit;

/** A condition of the monitor of a file. */
final class CoreMonitorSignal implements Signal {
    private final FileWait monitor = new FileWait(TwoFrames.options());
    /** Guarded by the monitor. */
    private boolean changed;

    @Override
    public long waitNanos() {
        return TimeUnit.SECONDS.toNanos(5);
    }

    @Override
    public boolean await() {
        return monitor.await(() -> changed, waitNanos());
    }

    @Override
    public void change() {
        monitor.change(() -> changed = true);
    }
}
