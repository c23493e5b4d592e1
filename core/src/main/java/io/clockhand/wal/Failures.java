// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.wal;

import java.io.IOException;

/** Runs all steps of an end, and throws what the first failed one has thrown. Not thread-safe. */
final class Failures {
    private Throwable first;

    /** A step. */
    interface Step {
        void run() throws IOException;
    }

    void run(Step step) {
        try {
            step.run();
        } catch (IOException | RuntimeException | Error e) {
            add(e);
        }
    }

    @SuppressWarnings("ReferenceEquality") // the very failure
    private void add(Throwable failure) {
        if (first == null) {
            first = failure;
        } else if (first != failure) {
            first.addSuppressed(failure);
        }
    }

    void throwFirst() throws IOException {
        if (first instanceof IOException failure) {
            throw failure;
        }
        if (first instanceof RuntimeException failure) {
            throw failure;
        }
        if (first instanceof Error failure) {
            throw failure;
        }
    }
}
