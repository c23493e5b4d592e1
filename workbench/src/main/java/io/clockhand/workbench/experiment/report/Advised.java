// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.experiment.report;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A cache with its estimates.
 *
 * @param setting what tells it apart from caches of the same name; may be empty
 * @param frames its size
 * @param hitRatio the one that was counted
 * @param estimates by policy, then by size; null if there are none
 */
public record Advised(String name, String setting, long frames, Double hitRatio, List<Estimated> estimates) {
    /** A row for each policy of each cache, with its hit ratios at all sizes. */
    public static Grid table(List<Advised> all) {
        List<Advised> advised =
                all.stream().filter(each -> each.estimates != null).toList();
        List<String> head = new ArrayList<>(List.of("policy", "in the cache", "frames", "counted"));
        advised.stream()
                .limit(1)
                .flatMap(each -> each.of(each.estimates.get(0).policy()))
                .forEach(estimate -> head.add("× " + Figures.brief(estimate.sizeFactor())));
        List<List<Object>> rows = new ArrayList<>();
        for (Advised each : advised) {
            each.estimates.stream().map(Estimated::policy).distinct().forEach(policy -> rows.add(each.row(policy)));
        }
        return new Grid("Estimated hit ratios by size, %", "", head, rows);
    }

    private Stream<Estimated> of(String policy) {
        return estimates.stream().filter(estimate -> estimate.policy().equals(policy));
    }

    private List<Object> row(String policy) {
        boolean own = policy.equals(estimates.get(0).policy());
        List<Object> row = new ArrayList<>(List.of(
                policy,
                setting.isEmpty() ? name : name + ", " + setting,
                Figures.of("%,d", frames),
                own ? percent(hitRatio) : Figures.NOT_MEASURED));
        of(policy).forEach(estimate -> row.add(percent(estimate.hitRatio())));
        return row;
    }

    private static String percent(Double ratio) {
        return ratio == null ? Figures.NOT_MEASURED : Figures.of("%.2f", 100 * ratio);
    }
}
