// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.bpwrapper;

import io.clockhand.workbench.bpwrapper.BpWrapperReport.Run;
import io.clockhand.workbench.bpwrapper.BpWrapperReport.Setting;
import io.clockhand.workbench.bpwrapper.driver.Form;
import io.clockhand.workbench.report.Pairs;
import io.clockhand.workbench.report.Spread;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** What the user saw: a line for each contender, one about the machine, and one about the pages. */
final class Conclusion {
    private final BpWrapperReport report;
    private final List<String> lines = new ArrayList<>();

    private Conclusion(BpWrapperReport report) {
        this.report = report;
    }

    /**
     * The conclusion.
     *
     * @param good whether every run ended and every page was right
     */
    static String of(BpWrapperReport report, Settings settings, boolean good) {
        Conclusion conclusion = new Conclusion(report);
        List<Contender> contenders = settings.contenders();
        Contender first = contenders.get(0);
        contenders.stream().skip(1).forEach(contender -> conclusion.compare(contender, first));
        if (first.form() != Form.SPIN && settings.forms().contains(Form.SPIN)) {
            conclusion.compareWithSpin(contenders, first);
        }
        conclusion.describeMachine(settings);
        conclusion.lines.add(
                good ? "Every page fixed was the right one." : "Not every run ended with right pages, see above.");
        return String.join(System.lineSeparator(), conclusion.lines);
    }

    /** Whether a wrapper loses to a spin lock where there are many misses is a question of its own. */
    private void compareWithSpin(List<Contender> contenders, Contender first) {
        Contender spin = new Contender(Form.SPIN, null, null);
        contenders.stream()
                .filter(contender -> !contender.equals(first) && contender.form() != Form.SPIN)
                .forEach(contender -> compare(contender, spin));
    }

    private void describeMachine(Settings settings) {
        int most = settings.threads().stream().mapToInt(Integer::intValue).max().orElse(0);
        int cores = report.environment().cores();
        if (most > cores) {
            lines.add("This machine has " + cores + (cores == 1 ? " processor" : " processors")
                    + ": with more threads a lock is contended when its holder is put aside, and runs show how well threads"
                    + " take turns, and not how a form scales.");
        }
    }

    private void compare(Contender contender, Contender base) {
        List<String> parts = new ArrayList<>();
        addThroughput(contender, base, parts);
        addShare("the lock taken %s as often", contender, base, Run::lockAcquisitionsPerMillion, parts);
        addShare("contentions %s as many", contender, base, Run::contentionsPerMillion, parts);
        if (!parts.isEmpty()) {
            lines.add(contender + " against " + base + ": " + String.join(", ", parts) + ".");
        }
    }

    private void addThroughput(Contender contender, Contender base, List<String> parts) {
        List<Double> medians = new ArrayList<>();
        Spread least = null;
        Setting leastSetting = null;
        int pairs = Integer.MAX_VALUE;
        for (Setting setting : BpWrapperReport.settings(report.runs())) {
            List<Double> ratios = BpWrapperReport.ratios(report.runs(), setting, contender, base);
            Spread ratio = Spread.of(ratios);
            if (ratio != null) {
                medians.add(ratio.median());
                pairs = Math.min(pairs, ratios.size());
                if (least == null || ratio.median() < least.median()) {
                    least = ratio;
                    leastSetting = setting;
                }
            }
        }
        if (medians.size() == 1) {
            parts.add(String.format(
                    Locale.ROOT, "%.2f times the throughput (%s)", least.median(), Pairs.inWords(pairs, least)));
        } else if (!medians.isEmpty()) {
            Spread all = Spread.of(medians);
            parts.add(String.format(
                    Locale.ROOT,
                    "%.2f … %.2f times the throughput in %d settings, least with %s (%s)",
                    all.min(),
                    all.max(),
                    medians.size(),
                    leastSetting,
                    Pairs.inWords(pairs, least)));
        }
    }

    /** Over all settings, how large a part of the base's figure the contender's is. */
    private void addShare(
            String sentence, Contender contender, Contender base, Function<Run, Double> figure, List<String> parts) {
        List<Double> shares = new ArrayList<>();
        for (Setting setting : BpWrapperReport.settings(report.runs())) {
            Spread own = BpWrapperReport.spread(BpWrapperReport.of(report.runs(), setting, contender), figure);
            Spread others = BpWrapperReport.spread(BpWrapperReport.of(report.runs(), setting, base), figure);
            if (own != null && others != null && others.median() > 0) {
                shares.add(own.median() / others.median());
            }
        }
        Spread all = Spread.of(shares);
        if (all != null) {
            String least = share(all.min());
            String most = share(all.max());
            parts.add(String.format(Locale.ROOT, sentence, least.equals(most) ? least : least + " … " + most));
        }
    }

    /** As people say it: 1/32, or 1.05 times. */
    static String share(double share) {
        return share > 0.1 || share == 0
                ? String.format(Locale.ROOT, "%.2f times", share)
                : String.format(Locale.ROOT, "1/%,.0f", 1 / share);
    }
}
