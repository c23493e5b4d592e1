// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.sharedupdate;

import io.clockhand.workbench.experiment.options.OptionValues.Labels;
import io.clockhand.workbench.sharedupdate.driver.Log.LogCost;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A cost such as {@code cpu:0.4us}. */
final class LogChoice implements ITypeConverter<LogCost>, Labels {
    @Override
    public LogCost convert(String typed) {
        LogCost cost = LogCost.parse(typed);
        if (cost == null) {
            throw new TypeConversionException(
                    "'" + typed + "' is no log; possible: cpu:Tus, wait:Tus with microseconds T, file");
        }
        return cost;
    }

    @Override
    public String label(Object cost) {
        return cost.toString();
    }
}
