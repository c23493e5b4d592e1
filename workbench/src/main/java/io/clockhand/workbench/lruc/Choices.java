// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc;

import io.clockhand.workbench.options.Choice;
import io.clockhand.workbench.options.Names;
import io.clockhand.workbench.workload.Workloads;
import java.util.List;
import picocli.CommandLine.TypeConversionException;

/** The values of the options of {@code lru-c}. */
final class Choices {
    private Choices() {}

    /** Some have any number or any policy in their names. */
    static final class OfSchemes extends Choice<String> {
        OfSchemes() {
            super("scheme", Schemes.possible(), name -> name);
        }

        @Override
        public String convert(String name) {
            try {
                Schemes.check(name);
                return name;
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        }
    }

    static final class OfDevices extends Choice<String> {
        OfDevices() {
            super("device", Devices.names(), name -> name);
        }
    }

    /** The model of TPC-C, or a trace with any file. */
    static final class OfWorkloads extends Choice<String> {
        static final String TPCC = "tpcc";
        private static final List<String> POSSIBLE = List.of(TPCC, Workloads.TRACE + "FILE");

        OfWorkloads() {
            super("workload", POSSIBLE, name -> name);
        }

        @Override
        public String convert(String name) {
            boolean known = name.equals(TPCC) || (Workloads.isTrace(name) && name.length() > Workloads.TRACE.length());
            if (!known) {
                throw new TypeConversionException(Names.unknown("workload", name, POSSIBLE));
            }
            return name;
        }
    }
}
