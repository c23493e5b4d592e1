// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.experiment.report;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * One run of a plan: a contender in a setting.
 *
 * @param occurrence 2 for a contender that stands in the list a second time
 * @param repeat from 1; 0 for a run that only counts
 */
public record Cell<S, C>(S setting, C contender, int occurrence, int repeat) {

    public Cell(S setting, C contender, int repeat) {
        this(setting, contender, 1, repeat);
    }

    /** The settings in their order, and for each repeat the contenders that are compared. */
    public static <S, C> List<List<Cell<S, C>>> plan(List<S> settings, List<C> contenders, int repeats) {
        List<List<Cell<S, C>>> groups = new ArrayList<>();
        for (S setting : settings) {
            for (int repeat = 1; repeat <= repeats; repeat++) {
                groups.add(group(setting, contenders, repeat));
            }
        }
        return groups;
    }

    private static <S, C> List<Cell<S, C>> group(S setting, List<C> contenders, int repeat) {
        List<Cell<S, C>> cells = new ArrayList<>();
        for (int i = 0; i < contenders.size(); i++) {
            C contender = contenders.get(i);
            int occurrence = 1 + Collections.frequency(contenders.subList(0, i), contender);
            cells.add(new Cell<>(setting, contender, occurrence, repeat));
        }
        return cells;
    }

    /** Differs from those of the other contenders of a setting. */
    public String name() {
        return contender + (occurrence == 1 ? "" : ", copy " + occurrence);
    }

    /** Of its log and its profile, without the ending. */
    public String fileName(String command) {
        return command + "-" + toString().replaceAll("[^A-Za-z0-9.]+", "-");
    }

    /** Of the duel of all contenders of the setting. */
    public String duelName() {
        return "duel, " + setting + ", repeat " + repeat;
    }

    @Override
    public String toString() {
        return name() + ", " + setting + (repeat == 0 ? ", counted" : ", repeat " + repeat);
    }
}
