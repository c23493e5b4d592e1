// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.experiment.report;

import io.clockhand.HitRatioEstimate;
import java.util.List;

/**
 * The hit ratio that a cache would have had at another size or with another policy, as it has estimated itself.
 *
 * @param sizeFactor the size, by that of the cache
 * @param frames the size
 * @param hitRatio null if there was nothing to estimate it from
 * @param sampled references on which the estimate rests
 */
public record Estimated(String policy, double sizeFactor, long frames, Double hitRatio, long sampled) {

    /**
     * The estimates of a cache.
     *
     * @param frames its own size
     */
    public static List<Estimated> of(List<HitRatioEstimate> estimates, long frames) {
        return estimates.stream()
                .map(estimate -> new Estimated(
                        estimate.policy(),
                        estimate.sizeFactor(),
                        Math.max(1, Math.round(frames * estimate.sizeFactor())),
                        Double.isNaN(estimate.hitRatio()) ? null : Double.valueOf(estimate.hitRatio()),
                        estimate.sampled()))
                .toList();
    }
}
