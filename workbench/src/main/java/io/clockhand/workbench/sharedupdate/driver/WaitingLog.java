// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.sharedupdate.driver;

import java.util.concurrent.locks.LockSupport;

/** Parks after a record has its LSN, in many threads at the same time. */
final class WaitingLog extends Log {
    private final long nanos;

    WaitingLog(long nanos) {
        this.nanos = nanos;
    }

    @Override
    long append(int offset, long value) {
        long lsn = reserve();
        LockSupport.parkNanos(this, nanos);
        return lsn;
    }
}
