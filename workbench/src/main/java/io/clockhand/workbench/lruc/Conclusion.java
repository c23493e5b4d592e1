// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.mapping;

import io.clockhand.workbench.experiment.Run;
import io.clockhand.workbench.experiment.report.Results;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/**
 * The conclusion: a sentence for each scheme but the baseline, and one for the runs that are not stable.
 *
 * @param threadsPerChannel null of a device that is not simulated
 */
record Conclusion(Results<Run<Setting, String, RunAnswer>> results, Function<Setting, Double> threadsPerChannel) {

    List<String> sentences() {
        List<String> sentences = new ArrayList<>();
        results.lines().stream()
                .filter(line -> line.paired() != null)
                .collect(groupingBy(Results.Line::contender, LinkedHashMap::new, mapping(this::inWords, joining("; "))))
                .forEach((contender, words) ->
                        sentences.add(contender + " against " + results.baseline() + ": " + words + "."));
        List<String> unstable = results.runs().stream()
                .filter(RunAnswer::isUnstable)
                .map(run -> String.format(
                        Locale.ROOT, "%s (%+.0f %%)", run.cell(), run.timed().steadiness(Steadiness::driftPercent)))
                .toList();
        if (!unstable.isEmpty()) {
            sentences.add(
                    "Not stable, so that a longer run may give another figure: " + String.join("; ", unstable) + ".");
        }
        return sentences;
    }

    private String inWords(Results.Line<Run<Setting, String, RunAnswer>> line) {
        Run<Setting, String, RunAnswer> first = line.runs().get(0);
        String setting = results.settingInWords(first);
        Double busy = first.timed(RunAnswer::utilisation);
        String load = busy == null
                ? ""
                : String.format(
                        Locale.ROOT, "; N/K %.2f, %.0f %% busy", threadsPerChannel.apply(first.setting()), busy);
        return String.format(
                        Locale.ROOT, "%.2f times the throughput", line.paired().median())
                + (setting.isEmpty() ? "" : " with " + setting) + " (" + line.pairsInWords() + load + ")";
    }
}
