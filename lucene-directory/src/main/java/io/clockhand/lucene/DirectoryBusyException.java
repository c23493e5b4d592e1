// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.lucene;

import java.io.IOException;

/**
 * A page could not be read because all memory of the pool, or the page, was in use by other threads for too long. The
 * file is not damaged: the read can be tried again. The message says what was in use, and which setting to raise.
 */
public final class DirectoryBusyException extends IOException {
    private static final long serialVersionUID = 1L;

    DirectoryBusyException(String message, Throwable cause) {
        super(message, cause);
    }
}
