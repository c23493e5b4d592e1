// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.duel;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The result of a duel. It consists of records only, so a JSON mapper can write it as it is.
 *
 * @param inTurns whether the contenders took turns; if not, they ran one after another, and no ratio is claimed
 * @param processes of each contender
 * @param rounds of each process that counted
 */
public record DuelResult(String comparedWith, boolean inTurns, int processes, int rounds, List<Standing> contenders) {
    /**
     * One contender's figures.
     *
     * @param ownSeconds that counted
     * @param operationsPerSecond over the contender's own running time
     * @param ratio of its throughput to that of the contender it is compared with; 1 for that one
     * @param ratioLow lower end of the 95 % interval of the ratio
     * @param ratioHigh upper end
     * @param claimed whether the interval leaves out 1
     */
    public record Standing(
            String contender,
            long operations,
            double ownSeconds,
            double operationsPerSecond,
            double ratio,
            double ratioLow,
            double ratioHigh,
            boolean claimed) {}

    public DuelResult {
        contenders = List.copyOf(contenders);
    }

    /** The figures of a contender. */
    public Standing standing(String contender) {
        return contenders.stream()
                .filter(standing -> standing.contender().equals(contender))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no contender is named " + contender));
    }

    /** A table for the terminal, and a line that says how it was measured. */
    public String table() {
        List<String[]> rows = new ArrayList<>();
        rows.add(new String[] {"contender", "operations/s", "ratio", "95 % interval", "claimed"});
        for (Standing standing : contenders) {
            boolean isBase = standing.contender().equals(comparedWith);
            rows.add(new String[] {
                standing.contender(),
                String.format(Locale.ROOT, "%,.0f", standing.operationsPerSecond()),
                String.format(Locale.ROOT, "%.3f", standing.ratio()),
                isBase ? "" : String.format(Locale.ROOT, "%.3f to %.3f", standing.ratioLow(), standing.ratioHigh()),
                isBase ? "" : standing.claimed() ? "yes" : "no"
            });
        }
        int[] width = new int[rows.get(0).length];
        for (String[] row : rows) {
            for (int i = 0; i < row.length; i++) {
                width[i] = Math.max(width[i], row[i].length());
            }
        }
        StringBuilder text = new StringBuilder();
        for (String[] row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < row.length; i++) {
                String padding = " ".repeat(width[i] - row[i].length());
                line.append(i == 0 ? row[i] + padding : "  " + padding + row[i]);
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
        return text.append(method()).append('\n').toString();
    }

    private String method() {
        double seconds = contenders.get(0).ownSeconds();
        return String.format(
                Locale.ROOT,
                "Ratios of sums against %s; %.1f s of own time each, %d process%s each, %d rounds a process; %s.",
                comparedWith,
                seconds,
                processes,
                processes == 1 ? "" : "es",
                rounds,
                inTurns
                        ? "contenders took turns"
                        : "contenders ran ONE AFTER ANOTHER, not in turns, so no ratio is claimed");
    }
}
