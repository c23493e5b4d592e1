// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.testkit;

import java.io.IOException;

/** A call through a handle that was opened before a crash of the {@link SimulatedDisk}, or of its process. */
public final class DiskCrashedException extends IOException {
    private static final long serialVersionUID = 1;

    DiskCrashedException(String message) {
        super(message);
    }
}
