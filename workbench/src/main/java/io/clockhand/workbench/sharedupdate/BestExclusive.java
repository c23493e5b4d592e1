// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.sharedupdate;

import io.clockhand.workbench.experiment.Run;
import io.clockhand.workbench.experiment.report.Cell;
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

    private record Key(Setting setting, int repeat) {}

    /**
     * Puts it among the runs, for each number of threads: for each setting and repeat the protocols in the order
     * typed, with the numbers of threads in theirs.
     */
    static List<Run<Setting, Contender, RunAnswer>> addTo(
            List<Run<Setting, Contender, RunAnswer>> runs, List<Protocol> protocols, List<Integer> threads) {
        Map<Key, List<Run<Setting, Contender, RunAnswer>>> groups = new LinkedHashMap<>();
        runs.forEach(
                run -> groups.computeIfAbsent(new Key(run.setting(), run.cell().repeat()), absent -> new ArrayList<>())
                        .add(run));
        List<Run<Setting, Contender, RunAnswer>> all = new ArrayList<>();
        groups.forEach((key, group) -> {
            for (Protocol protocol : protocols) {
                for (int count : threads) {
                    if (protocol == Protocol.EXCLUSIVE_BEST) {
                        all.add(copy(best(key.setting, runs), group, count));
                    } else {
                        group.stream()
                                .filter(run -> run.contender().equals(new Contender(protocol, count)))
                                .forEach(all::add);
                    }
                }
            }
        });
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

    private static Run<Setting, Contender, RunAnswer> copy(
            Contender best, List<Run<Setting, Contender, RunAnswer>> group, int threads) {
        Cell<Setting, Contender> first = group.get(0).cell();
        Cell<Setting, Contender> cell =
                new Cell<>(first.setting(), new Contender(Protocol.EXCLUSIVE_BEST, threads, best), first.repeat());
        return group.stream()
                .filter(run -> run.contender().equals(best))
                .findFirst()
                .map(run -> new Run<>(cell, run.timed(), run.turns(), run.counted()))
                .orElseGet(() -> new Run<>(cell, null, null, null));
    }
}
