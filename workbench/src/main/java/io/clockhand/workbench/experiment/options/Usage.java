// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.experiment.options;

import io.clockhand.workbench.experiment.report.Figures;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Refuses options of a command, in one sentence each. */
public record Usage(CommandSpec spec) {

    public void require(boolean holds, String otherwise) {
        if (!holds) {
            throw wrong(otherwise);
        }
    }

    public void requireOnce(String option, String kind, List<?> values) {
        require(values.size() == Set.copyOf(values).size(), option + " names " + kind + " twice");
    }

    public void requireWithin(String option, double value, double least, double most) {
        require(
                value >= least && value <= most,
                option + " must lie in " + Figures.brief(least) + " … " + Figures.brief(most) + ", not "
                        + Figures.brief(value));
    }

    /** Each of a list of numbers, which differ. */
    public void requireEachWithin(
            String option, String kind, List<? extends Number> values, double least, double most) {
        values.forEach(value -> requireWithin(option, value.doubleValue(), least, most));
        requireOnce(option, kind, values);
    }

    public void requireEach(String option, List<Integer> values, int most) {
        requireEachWithin(option, "a number", values, 1, most);
    }

    public boolean isTyped(String option) {
        return spec.commandLine().getParseResult().hasMatchedOption(option);
    }

    public ParameterException wrong(String sentence) {
        return new ParameterException(spec.commandLine(), sentence);
    }
}
