// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.workload;

import java.io.IOException;

/** A trace has a wrong form; the message names the file and the place in it. */
final class TraceFormatException extends IOException {
    private static final long serialVersionUID = 1;

    TraceFormatException(String message) {
        super(message);
    }
}
