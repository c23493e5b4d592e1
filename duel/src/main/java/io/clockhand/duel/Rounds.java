// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.duel;

import java.util.ArrayList;
import java.util.List;

/**
 * The slices of all contenders.
 *
 * @param names of the contenders
 * @param inTurns whether the contenders of a round ran right after each other
 * @param processes for each process of the contenders, in order, its rounds; a round holds a slice of each contender,
 *     in the order of the names
 */
public record Rounds(List<String> names, boolean inTurns, List<List<List<Slice>>> processes) {
    public Rounds {
        names = List.copyOf(names);
        List<List<List<Slice>>> copy = new ArrayList<>();
        for (List<List<Slice>> rounds : processes) {
            copy.add(rounds.stream().map(List::copyOf).toList());
            for (List<Slice> round : rounds) {
                if (round.size() != names.size()) {
                    throw new IllegalArgumentException(
                            round.size() + " slices in a round of " + names.size() + " contenders");
                }
            }
        }
        processes = List.copyOf(copy);
    }
}
