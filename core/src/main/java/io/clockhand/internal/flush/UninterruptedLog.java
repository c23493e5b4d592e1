// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.flush;

import io.clockhand.internal.pool.EngineCalls;
import io.clockhand.wal.WriteAheadLog;
import java.io.IOException;

/** The log of the engine, called with a clear interrupt flag: see {@link EngineCalls}. */
public final class UninterruptedLog implements WriteAheadLog {
    private final WriteAheadLog log;

    private UninterruptedLog(WriteAheadLog log) {
        this.log = log;
    }

    /** {@return a log that calls another one; {@link WriteAheadLog#NONE} as it is} */
    @SuppressWarnings("ReferenceEquality") // the very log
    public static WriteAheadLog of(WriteAheadLog log) {
        return log == NONE ? NONE : new UninterruptedLog(log);
    }

    @Override
    public long end() {
        boolean interrupted = EngineCalls.begin();
        try {
            return log.end();
        } finally {
            EngineCalls.end(interrupted);
        }
    }

    @Override
    public void makeDurable(long lsn) throws IOException {
        boolean interrupted = EngineCalls.begin();
        try {
            log.makeDurable(lsn);
        } finally {
            EngineCalls.end(interrupted);
        }
    }

    @Override
    public String toString() {
        return log.toString();
    }
}
