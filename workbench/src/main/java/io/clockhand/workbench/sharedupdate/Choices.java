// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.sharedupdate;

import io.clockhand.workbench.options.Choice;
import io.clockhand.workbench.options.Labels;
import io.clockhand.workbench.sharedupdate.driver.Load;
import io.clockhand.workbench.sharedupdate.driver.LogCost;
import io.clockhand.workbench.sharedupdate.driver.Protocol;
import io.clockhand.workbench.sharedupdate.driver.RowLayout;
import java.util.List;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The values of the options of {@code shared-update}. */
final class Choices {
    private Choices() {}

    static final class OfProtocols extends Choice<Protocol> {
        OfProtocols() {
            super("protocol", List.of(Protocol.values()), Protocol::label);
        }
    }

    static final class OfLoads extends Choice<Load> {
        OfLoads() {
            super("load", List.of(Load.values()), Load::label);
        }
    }

    static final class OfLayouts extends Choice<RowLayout> {
        OfLayouts() {
            super("row layout", List.of(RowLayout.values()), RowLayout::label);
        }
    }

    /** A cost such as {@code cpu:0.4us}. */
    static final class OfLogs implements ITypeConverter<LogCost>, Labels {
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
}
