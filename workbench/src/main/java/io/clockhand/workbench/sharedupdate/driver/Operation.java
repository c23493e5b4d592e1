// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.sharedupdate.driver;

import java.io.IOException;

/** The work that a thread does again and again. */
interface Operation extends AutoCloseable {
    void perform() throws IOException;

    /** Called by the thread when it ends. */
    @Override
    void close() throws IOException;
}
