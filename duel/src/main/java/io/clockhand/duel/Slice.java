// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.duel;

/**
 * One contender's work in one slice.
 *
 * @param operations completed
 * @param nanos the contender's own running time
 */
public record Slice(long operations, long nanos) {
    public Slice {
        if (operations < 0 || nanos <= 0) {
            throw new IllegalArgumentException(operations + " operations in " + nanos + " ns");
        }
    }
}
