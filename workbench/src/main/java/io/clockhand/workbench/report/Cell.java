// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.report;

import java.util.ArrayList;
import java.util.List;

/**
 * One run of a plan: a contender in a setting.
 *
 * @param repeat from 1; 0 for a run that only counts
 */
public record Cell<S, C>(S setting, C contender, int repeat) {

    /** The settings in their order; contenders alternate within each repeat. */
    public static <S, C> List<Cell<S, C>> plan(List<S> settings, List<C> contenders, int repeats) {
        List<Cell<S, C>> cells = new ArrayList<>();
        for (S setting : settings) {
            for (int repeat = 1; repeat <= repeats; repeat++) {
                for (C contender : contenders) {
                    cells.add(new Cell<>(setting, contender, repeat));
                }
            }
        }
        return cells;
    }

    public boolean onlyCounts() {
        return repeat == 0;
    }

    /** Of its log and its profile, without the ending. */
    public String fileName(String command) {
        return command + "-" + toString().replaceAll("[^A-Za-z0-9.]+", "-");
    }

    @Override
    public String toString() {
        return contender + ", " + setting + (onlyCounts() ? ", counted" : ", repeat " + repeat);
    }
}
