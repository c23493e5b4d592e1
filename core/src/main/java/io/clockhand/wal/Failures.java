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
        } catch (Throwable e) { // also a checked exception of another language
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
        if (first != null) {
            Failures.<IOException>rethrow(first);
        }
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> void rethrow(Throwable failure) throws E {
        throw (E) failure;
    }
}
