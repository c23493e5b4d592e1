// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.sharedupdate;

import io.clockhand.workbench.experiment.Run;
import io.clockhand.workbench.experiment.report.Cell;
import io.clockhand.workbench.sharedupdate.SharedUpdate.Contender;
import io.clockhand.workbench.sharedupdate.SharedUpdate.Setting;
import io.clockhand.workbench.sharedupdate.driver.Protocol;
import io.clockhand.workbench.sharedupdate.driver.Trial.RunAnswer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Finds the best exclusive protocol of each setting, over all numbers of threads and repeats. The choice is made by the
 * same figures that are reported then, so chance favours it: no ratio to it is too high.
 */
final class BestExclusive {
    private BestExclusive() {}

    /** Puts it before the runs, for each setting, repeat and number of threads. */
    static List<Run<Setting, Contender, RunAnswer>> addTo(
            List<Run<Setting, Contender, RunAnswer>> runs, List<Integer> threads) {
        List<Run<Setting, Contender, RunAnswer>> all = new ArrayList<>();
        Contender everywhere = runs.get(0).contender(); // one of its runs for each setting and repeat
        runs.stream().filter(run -> run.contender().equals(everywhere)).forEach(one -> {
            Contender best = best(one.setting(), runs);
            Run<Setting, Contender, RunAnswer> found = runs.stream()
                    .filter(run -> run.contender().equals(best)
                            && run.setting().equals(one.setting())
                            && run.cell().repeat() == one.cell().repeat())
                    .findFirst()
                    .orElseGet(() -> new Run<>(one.cell(), null, null, null));
            for (int count : threads) {
                Contender contender = new Contender(Protocol.EXCLUSIVE_BEST, count, best);
                all.add(new Run<>(
                        new Cell<>(one.setting(), contender, one.cell().repeat()),
                        found.timed(),
                        found.turns(),
                        found.counted()));
            }
        });
        all.addAll(runs);
        return all;
    }

    /** That with the greatest sum over the repeats, of those with all repeats; null if none has. */
    private static Contender best(Setting setting, List<Run<Setting, Contender, RunAnswer>> runs) {
        Map<Contender, Double> sums = new LinkedHashMap<>();
        runs.stream()
                .filter(run -> run.setting().equals(setting)
                        && Protocol.CANDIDATES.contains(run.contender().protocol()))
                .forEach(run -> sums.merge(
                        run.contender(),
                        Objects.requireNonNullElse(run.operationsPerSecond(), Double.NaN),
                        Double::sum));
        return sums.entrySet().stream()
                .filter(entry -> !entry.getValue().isNaN())
                .max(Comparator.comparingDouble(Map.Entry::getValue))
                .map(Map.Entry::getKey)
                .orElse(null);
    }
}
