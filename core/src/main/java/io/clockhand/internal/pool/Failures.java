// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.pool;

/** Failures of code that goes on after one. */
public final class Failures {
    /** A device that is full fails for each page. */
    private static final int MOST_SUPPRESSED = 8;

    private Failures() {}

    /**
     * {@return the first failure, with the second one suppressed where that is possible, and not after eight others} An
     * exception cannot suppress itself, and a store, or a JVM without memory, may throw the same one twice.
     *
     * @param first the first failure, or null
     * @param second another one, or null
     */
    @SuppressWarnings("ReferenceEquality") // the very exception
    public static Throwable join(Throwable first, Throwable second) {
        if (first == null) {
            return second;
        }
        if (second != null && first != second) {
            try {
                if (first.getSuppressed().length < MOST_SUPPRESSED) {
                    first.addSuppressed(second);
                }
            } catch (OutOfMemoryError e) {
                // the first one counts
            }
        }
        return first;
    }

    /**
     * Throws a failure, whatever its type: code that is called may throw more than it declares. Never returns.
     *
     * @param failure what to throw
     * @param <E> the checked exception that the caller declares
     * @throws E the failure
     */
    @SuppressWarnings("unchecked")
    public static <E extends Throwable> void rethrow(Throwable failure) throws E {
        throw (E) failure;
    }
}
