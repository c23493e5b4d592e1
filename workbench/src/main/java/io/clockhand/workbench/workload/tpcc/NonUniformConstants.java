// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.workload.tpcc;

/**
 * The constants C of NURand, drawn once for the load and once for a run (clause 2.1.6.1).
 *
 * @param lastName for NURand(255, …), used for last names
 * @param customer for NURand(1023, …), used for customer numbers
 * @param item for NURand(8191, …), used for item numbers
 */
public record NonUniformConstants(int lastName, int customer, int item) {

    public static NonUniformConstants ofLoad(long seed) {
        return drawn(new Draw(seed ^ 0x10AD));
    }

    /**
     * Those of a run: its constant for last names lies 65 … 119 from that of the load, but neither 96 nor 112, so that
     * the names asked for most are not the names given most.
     */
    public static NonUniformConstants ofRun(long seed) {
        int ofLoad = ofLoad(seed).lastName();
        Draw draw = new Draw(seed ^ 0xC0DE);
        while (true) {
            NonUniformConstants candidate = drawn(draw);
            int delta = Math.abs(candidate.lastName() - ofLoad);
            if (delta >= 65 && delta <= 119 && delta != 96 && delta != 112) {
                return candidate;
            }
        }
    }

    private static NonUniformConstants drawn(Draw draw) {
        return new NonUniformConstants(draw.between(0, 255), draw.between(0, 1023), draw.between(0, 8191));
    }
}
