// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.sharedupdate;

import io.clockhand.workbench.report.Cell;
import io.clockhand.workbench.sharedupdate.driver.Protocol;
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

    /**
     * Puts it among the runs, for each number of threads: for each setting and repeat the protocols in the order
     * typed, with the numbers of threads in theirs.
     */
    static List<Run> addTo(List<Run> runs, Settings settings) {
        List<Run> all = new ArrayList<>();
        groups(runs).values().forEach(group -> {
            for (Protocol protocol : settings.protocols()) {
                for (int threads : settings.threads()) {
                    if (protocol == Protocol.EXCLUSIVE_BEST) {
                        all.add(beside(best(group.get(0).cell().setting(), runs), group, threads));
                    } else {
                        group.stream()
                                .filter(run -> run.cell().contender().equals(new Contender(protocol, threads)))
                                .forEach(all::add);
                    }
                }
            }
        });
        return all;
    }

    private record Key(Setting setting, int repeat) {}

    private static Map<Key, List<Run>> groups(List<Run> runs) {
        Map<Key, List<Run>> groups = new LinkedHashMap<>();
        runs.forEach(run -> groups.computeIfAbsent(
                        new Key(run.cell().setting(), run.cell().repeat()), absent -> new ArrayList<>())
                .add(run));
        return groups;
    }

    /** That with the greatest sum over the repeats, of those with all repeats; null if none has. */
    private static Contender best(Setting setting, List<Run> runs) {
        Map<Contender, Double> sums = new LinkedHashMap<>();
        runs.stream()
                .filter(run -> run.cell().setting().equals(setting) && Protocol.CANDIDATES.contains(run.protocol()))
                .forEach(run -> sums.merge(
                        run.cell().contender(),
                        Objects.requireNonNullElse(run.updatesPerSecond(), Double.NaN),
                        Double::sum));
        return sums.entrySet().stream()
                .filter(entry -> !entry.getValue().isNaN())
                .max(Comparator.comparingDouble(Map.Entry::getValue))
                .map(Map.Entry::getKey)
                .orElse(null);
    }

    private static Run beside(Contender best, List<Run> group, int threads) {
        Cell<Setting, Contender> first = group.get(0).cell();
        Cell<Setting, Contender> cell =
                new Cell<>(first.setting(), new Contender(Protocol.EXCLUSIVE_BEST, threads), first.repeat());
        return group.stream()
                .filter(run -> run.cell().contender().equals(best))
                .findFirst()
                .map(run -> new Run(cell, run.timed(), run.turns(), run.countedAnswer(), run))
                .orElseGet(() -> new Run(cell, null, null, null, null));
    }
}
