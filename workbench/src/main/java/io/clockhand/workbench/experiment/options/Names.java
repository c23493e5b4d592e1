// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.experiment.options;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;

/** Answers an unknown name with the list of possible ones, and the nearest. */
public final class Names {
    private Names() {}

    /** One sentence: {@code unknown cache 'derbi'; did you mean derby? Possible: derby, nb-gclock3}. */
    public static String unknown(String kind, String typed, Collection<String> possible) {
        return unknown(kind, typed, possible, String.join(", ", possible));
    }

    /** The same, with other words instead of a list that is too long. */
    public static String unknown(String kind, String typed, Collection<String> possible, String shown) {
        String nearest = possible.stream()
                .min(Comparator.comparingInt(name -> distance(typed.toLowerCase(Locale.ROOT), name)))
                .orElse("");
        return "unknown " + kind + " '" + typed + "'; did you mean " + nearest + "? Possible: " + shown;
    }

    /** Levenshtein's: how many letters must be added, dropped or changed. */
    static int distance(String left, String right) {
        int[] above = new int[right.length() + 1];
        for (int j = 0; j <= right.length(); j++) {
            above[j] = j;
        }
        for (int i = 1; i <= left.length(); i++) {
            int[] row = new int[right.length() + 1];
            row[0] = i;
            for (int j = 1; j <= right.length(); j++) {
                int changed = above[j - 1] + (left.charAt(i - 1) == right.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(changed, 1 + Math.min(above[j], row[j - 1]));
            }
            above = row;
        }
        return above[right.length()];
    }
}
