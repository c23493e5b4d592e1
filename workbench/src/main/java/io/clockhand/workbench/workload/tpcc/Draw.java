// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.workload.tpcc;

import java.util.SplittableRandom;

/** The random numbers and strings of TPC-C (clauses 2.1.6 and 4.3.2). Not thread-safe: one per thread. */
public final class Draw {
    private static final String[] SYLLABLES = {
        "BAR", "OUGHT", "ABLE", "PRI", "PRES", "ESE", "ANTI", "CALLY", "ATION", "EING"
    };
    private static final char[] ALPHABET =
            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-".toCharArray();

    private final SplittableRandom random;

    public Draw(long seed) {
        random = new SplittableRandom(seed);
    }

    /** Uniform within low … high, both included. */
    public int between(int low, int high) {
        return low + random.nextInt(high - low + 1);
    }

    public boolean percent(int chances) {
        return random.nextInt(100) < chances;
    }

    /** NURand(A, x, y) with the constant C of clause 2.1.6. */
    public int nonUniform(int a, int c, int low, int high) {
        return (((between(0, a) | between(low, high)) + c) % (high - low + 1)) + low;
    }

    /** The last name with this number, 0 … 999: three syllables (clause 4.3.2.3). */
    public static String lastName(int number) {
        return SYLLABLES[number / 100] + SYLLABLES[number / 10 % 10] + SYLLABLES[number % 10];
    }

    /** An a-string: between {@code shortest} and {@code longest} letters and digits. */
    public String letters(int shortest, int longest) {
        char[] text = new char[between(shortest, longest)];
        long bits = 0;
        for (int i = 0; i < text.length; i++) {
            if (i % 10 == 0) {
                bits = random.nextLong();
            }
            text[i] = ALPHABET[(int) (bits & 0b111111)];
            bits >>>= 6;
        }
        return new String(text);
    }

    /** An n-string of exactly this length. */
    public String digits(int length) {
        char[] text = new char[length];
        for (int i = 0; i < length; i++) {
            text[i] = (char) ('0' + random.nextInt(10));
        }
        return new String(text);
    }

    /** Four digits and 11111 (clause 4.3.2.7). */
    public String zip() {
        return digits(4) + "11111";
    }

    /** I_DATA or S_DATA: one row in ten holds ORIGINAL somewhere (clause 4.3.3.1). */
    public String itemData() {
        String data = letters(26, 50);
        if (!percent(10)) {
            return data;
        }
        int at = between(0, data.length() - 8);
        return data.substring(0, at) + "ORIGINAL" + data.substring(at + 8);
    }

    /**
     * The constants C of NURand, drawn once for the load and once for a run (clause 2.1.6.1).
     *
     * @param lastName for NURand(255, …), used for last names
     * @param customer for NURand(1023, …), used for customer numbers
     * @param item for NURand(8191, …), used for item numbers
     */
    public record NonUniformConstants(int lastName, int customer, int item) {

        public static NonUniformConstants ofLoad(long seed) {
            return new NonUniformConstants(new Draw(seed ^ 0x10AD));
        }

        /**
         * Those of a run: its constant for last names lies 65 … 119 from that of the load, but neither 96 nor 112, so
         * that the names asked for most are not the names given most.
         */
        public static NonUniformConstants ofRun(long seed) {
            int ofLoad = ofLoad(seed).lastName();
            Draw draw = new Draw(seed ^ 0xC0DE);
            while (true) {
                NonUniformConstants candidate = new NonUniformConstants(draw);
                int delta = Math.abs(candidate.lastName() - ofLoad);
                if (delta >= 65 && delta <= 119 && delta != 96 && delta != 112) {
                    return candidate;
                }
            }
        }

        private NonUniformConstants(Draw draw) {
            this(draw.between(0, 255), draw.between(0, 1023), draw.between(0, 8191));
        }
    }
}
