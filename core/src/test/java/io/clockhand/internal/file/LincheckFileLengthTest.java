// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.file;

import io.clockhand.internal.file.FileLength.Creation;
import org.jetbrains.lincheck.Lincheck;
import org.junit.jupiter.api.Test;

/** A hole and the page behind it are published while another thread reads the length, in every interleaving. */
class LincheckFileLengthTest {
    private static final int INVOCATIONS = 500;

    @Test
    void threadThatSeesThePageBehindAHoleSeesTheHole() {
        Lincheck.runConcurrentTest(INVOCATIONS, LincheckFileLengthTest::publishAndRead);
    }

    private static void publishAndRead() {
        FileLength length = new FileLength(0);
        Creation failing = length.beginWriting();
        Creation written = length.beginWriting();
        Thread creator = new Thread(() -> {
            length.endWriting(written, true);
            length.endWriting(failing, false);
        });
        creator.start();
        boolean seesBoth = length.pages() == 2;
        boolean exists = length.exists(0);
        try {
            creator.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        if (seesBoth && exists) {
            throw new IllegalStateException("page 0 exists, though it was never written");
        }
        if (length.pages() != 2 || !length.isHole(0) || !length.exists(1)) {
            throw new IllegalStateException("pages " + length.pages() + ", hole " + length.isHole(0));
        }
    }
}
