// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.replay;

import io.clockhand.page.PageIn;
import io.clockhand.policy.ClockHand;
import io.clockhand.policy.Policies;
import io.clockhand.workbench.options.Choice;
import io.clockhand.workbench.options.PolicyNames;
import io.clockhand.workbench.replay.driver.Io;
import io.clockhand.workbench.workload.Workloads;
import java.util.List;
import picocli.CommandLine.TypeConversionException;

/** The values of the options of {@code replay}. */
final class Choices {
    private Choices() {}

    static final class OfPolicies extends PolicyNames {
        OfPolicies() {
            super(Policies.names());
        }
    }

    static final class OfHands extends Choice<ClockHand> {
        OfHands() {
            super("hand", List.of(ClockHand.values()), ClockHand::label);
        }
    }

    static final class OfPageIns extends Choice<PageIn> {
        OfPageIns() {
            super("page-in", List.of(PageIn.values()), PageIn::label);
        }
    }

    static final class OfIos extends Choice<Io> {
        OfIos() {
            super("io", List.of(Io.values()), Io::label);
        }
    }

    /** A trace is one with any file. */
    static final class OfWorkloads extends Choice<String> {
        OfWorkloads() {
            super("workload", Workloads.possible(), name -> name);
        }

        @Override
        public String convert(String name) {
            try {
                Workloads.check(name);
                return name;
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        }
    }
}
