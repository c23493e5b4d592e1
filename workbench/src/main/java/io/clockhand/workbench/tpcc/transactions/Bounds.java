// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.tpcc.transactions;

import io.clockhand.workbench.tpcc.load.Draw;
import io.clockhand.workbench.tpcc.load.NonUniformConstants;
import io.clockhand.workbench.tpcc.load.Scale;

/**
 * The ranges from which inputs are drawn: the scale, and the constants of NURand for this run.
 *
 * @param scale of the database
 * @param constants of the run, not of the load
 */
public record Bounds(Scale scale, NonUniformConstants constants) {

    public static Bounds of(Scale scale, long runSeed) {
        NonUniformConstants constants = NonUniformConstants.ofRun(scale.seed());
        Draw draw = new Draw(runSeed);
        return new Bounds(
                scale, new NonUniformConstants(constants.lastName(), draw.between(0, 1023), draw.between(0, 8191)));
    }

    int lastName(Draw draw) {
        return draw.nonUniform(255, constants.lastName(), 0, scale.lastNames() - 1);
    }

    int customer(Draw draw) {
        return draw.nonUniform(1023, constants.customer(), 1, scale.customers());
    }

    int item(Draw draw) {
        return draw.nonUniform(8191, constants.item(), 1, scale.items());
    }

    int district(Draw draw) {
        return draw.between(1, scale.districts());
    }

    /** Any warehouse but this one; with one warehouse nothing is remote. */
    int otherWarehouse(Draw draw, int home) {
        if (scale.warehouses() == 1) {
            return home;
        }
        int other = draw.between(1, scale.warehouses() - 1);
        return other < home ? other : other + 1;
    }
}
