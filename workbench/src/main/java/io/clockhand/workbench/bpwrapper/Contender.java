// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.bpwrapper;

import io.clockhand.workbench.bpwrapper.driver.Form;
import io.clockhand.workbench.experiment.options.OptionValues.Labels;
import io.clockhand.workbench.experiment.options.Usage;
import java.util.ArrayList;
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

    private static final int MOST_QUEUE = 4096;
    private static final int DEFAULT_THRESHOLD = 32;

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

    /**
     * Refuses wrong queues; {@return the thresholds}
     *
     * @param typed null for the default
     */
    static List<Integer> checkQueues(List<Form> forms, List<Integer> queueSizes, List<Integer> typed, Usage usage) {
        usage.requireEach("--queue-size", queueSizes, MOST_QUEUE);
        boolean small = queueSizes.stream().anyMatch(size -> size < DEFAULT_THRESHOLD);
        List<Integer> thresholds = typed != null ? typed : List.of(small ? HALF : DEFAULT_THRESHOLD);
        usage.require(
                thresholds.stream().allMatch(n -> n == HALF || (n >= 1 && n <= MOST_QUEUE)),
                "--threshold must lie in 1 … " + MOST_QUEUE + ", or be half");
        usage.requireOnce("--threshold", "a number", thresholds);
        boolean possible = !all(List.of(Form.BOTH), queueSizes, thresholds).isEmpty();
        usage.require(
                possible || forms.stream().noneMatch(Form::hasQueues),
                "--threshold must not be greater than --queue-size: "
                        + String.join(", ", leftOut(queueSizes, thresholds)));
        return thresholds;
    }

    /** Every form; those with queues with every size and every threshold that is not greater. */
    static List<Contender> all(List<Form> forms, List<Integer> queueSizes, List<Integer> thresholds) {
        List<Contender> all = new ArrayList<>();
        for (Form form : forms) {
            if (form.hasQueues()) {
                pairs(queueSizes, thresholds)
                        .filter(Pair::isPossible)
                        .forEach(pair -> all.add(new Contender(form, pair.queueSize, pair.threshold)));
            } else {
                all.add(new Contender(form, null, null));
            }
        }
        return all;
    }

    /** A note on each threshold that is greater than its queue. */
    static List<String> leftOut(List<Integer> queueSizes, List<Integer> thresholds) {
        return pairs(queueSizes, thresholds)
                .filter(pair -> !pair.isPossible())
                .map(pair -> "threshold " + pair.threshold + " is greater than queue size " + pair.queueSize)
                .toList();
    }

    /** A queue of one hit has a threshold of one, which is not its half. */
    private static Stream<Pair> pairs(List<Integer> queueSizes, List<Integer> thresholds) {
        return queueSizes.stream()
                .flatMap(queueSize -> thresholds.stream()
                        .map(threshold ->
                                new Pair(queueSize, threshold == HALF ? Math.max(1, queueSize / 2) : threshold))
                        .distinct());
    }

    private record Pair(int queueSize, int threshold) {
        boolean isPossible() {
            return threshold <= queueSize;
        }
    }

    @Override
    public String toString() {
        return form + (queueSize == null ? "" : ", queue size " + queueSize + ", threshold " + threshold);
    }
}
