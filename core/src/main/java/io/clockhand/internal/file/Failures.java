// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.file;

/** Failures of code that goes on after one. */
final class Failures {
    private Failures() {}

    /**
     * {@return the first failure, with the second one suppressed where that is possible} An exception cannot suppress
     * itself, and a store, or a JVM without memory, may throw the same one twice.
     *
     * @param first the first failure, or null
     * @param second another one
     */
    @SuppressWarnings("ReferenceEquality") // the very exception
    static Throwable join(Throwable first, Throwable second) {
        if (first == null) {
            return second;
        }
        if (first != second) {
            try {
                first.addSuppressed(second);
            } catch (OutOfMemoryError e) {
                // the first one counts
            }
        }
        return first;
    }
}
