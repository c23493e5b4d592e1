// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.space;

import java.io.IOException;

/** The log of the engine, called with a clear interrupt flag, which is restored afterwards. */
record UninterruptedSpaceLog(SpaceLog log) implements SpaceLog {
    @Override
    public long change(long page, int mask, int bits) throws IOException {
        boolean interrupted = Thread.interrupted();
        try {
            return log.change(page, mask, bits);
        } finally {
            restore(interrupted);
        }
    }

    @Override
    public long creation(long mapPage) throws IOException {
        boolean interrupted = Thread.interrupted();
        try {
            return log.creation(mapPage);
        } finally {
            restore(interrupted);
        }
    }

    private static void restore(boolean interrupted) {
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
