// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.space;

/**
 * How full a data page is, in five steps, as a map keeps it in three bits.
 *
 * <p>Source: Kodandaramaih, Kodavalla, Venkataramanappa, Concurrent Updates to Pages with Fixed-Size Rows Using
 * Lock-Free Algorithms, PVLDB 13(12), 2020, Fig. 1.
 */
public enum Fullness {
    /** Nothing is in use. */
    EMPTY(0, 0),
    /** Less than half is in use. */
    UNDER_50(1, 50),
    /** At least half, and less than 80 % is in use. */
    UNDER_80(2, 80),
    /** At least 80 %, and less than 95 % is in use. */
    UNDER_95(3, 95),
    /** At least 95 % is in use. */
    FULL(4, 101);

    private static final Fullness[] ALL = values();
    private static final int PERCENT = 100;

    private final int number;
    private final int under;

    Fullness(int number, int under) {
        this.number = number;
        this.under = under;
    }

    /**
     * {@return the step of a page}
     *
     * @param used how much of it is in use, in bytes or rows
     * @param size how much fits in, in the same unit
     * @throws IllegalArgumentException if {@code used} is negative or greater than {@code size}
     */
    public static Fullness of(int used, int size) {
        if (used < 0 || used > size) {
            throw new IllegalArgumentException(used + " of " + size + " cannot be in use");
        }
        for (Fullness step : ALL) {
            if (used == 0 || (long) used * PERCENT < (long) step.under * size) {
                return step;
            }
        }
        return FULL;
    }

    /** {@return the step of a number in a map, of which those above {@link #FULL} count as full} */
    static Fullness ofNumber(int number) {
        return ALL[Math.min(number, FULL.number)];
    }

    /** {@return the number of the step in a map, 0 to 4} */
    int number() {
        return number;
    }
}
