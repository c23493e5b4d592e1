// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.bpwrapper;

import io.clockhand.workbench.bpwrapper.driver.Form;
import io.clockhand.workbench.experiment.options.OptionValues.Labels;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A form, with its queues if it has any to choose.
 *
 * @param queueSize null if the form has none to choose
 * @param threshold null as well
 */
record Contender(Form form, Integer queueSize, Integer threshold) {
    /** Stands for half of each queue among the thresholds. */
    static final int HALF = 0;

    /** A number, or {@code half}. */
    static final class Threshold implements ITypeConverter<Integer>, Labels {
        @Override
        public Integer convert(String typed) {
            if (typed.equals("half")) {
                return HALF;
            }
            try {
                int threshold = Integer.parseInt(typed);
                return threshold == HALF ? -1 : threshold;
            } catch (NumberFormatException e) {
                throw new TypeConversionException("'" + typed + "' is neither a number nor half");
            }
        }

        @Override
        public String label(Object threshold) {
            return threshold.equals(HALF) ? "half" : threshold.toString();
        }
    }

    /** Every form; those with queues with every size and every threshold. */
    static List<Contender> all(List<Form> forms, List<Integer> queueSizes, List<Integer> thresholds) {
        return forms.stream()
                .flatMap(form -> form.hasQueues()
                        ? withQueues(form, queueSizes, thresholds)
                        : Stream.of(new Contender(form, null, null)))
                .toList();
    }

    /** A queue of one hit has a threshold of one, which is not its half. */
    private static Stream<Contender> withQueues(Form form, List<Integer> queueSizes, List<Integer> thresholds) {
        return queueSizes.stream()
                .flatMap(size -> thresholds.stream()
                        .map(threshold -> threshold == HALF ? Math.max(1, size / 2) : threshold)
                        .distinct()
                        .map(threshold -> new Contender(form, size, threshold)));
    }

    @Override
    public String toString() {
        return form + (queueSize == null ? "" : ", queue size " + queueSize + ", threshold " + threshold);
    }
}
