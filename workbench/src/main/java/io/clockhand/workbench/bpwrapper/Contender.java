// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.bpwrapper;

import io.clockhand.workbench.bpwrapper.driver.Form;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A form, with its queues if it has any to choose.
 *
 * @param queueSize null if the form has none to choose
 * @param threshold null as well
 */
record Contender(Form form, Integer queueSize, Integer threshold) {

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
                        .map(threshold -> new Pair(
                                queueSize, threshold == BpWrapper.HALF ? Math.max(1, queueSize / 2) : threshold))
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
