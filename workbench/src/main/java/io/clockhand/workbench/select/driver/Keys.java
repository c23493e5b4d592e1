// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.select.driver;

import java.util.SplittableRandom;

/** Which rows are selected. */
public enum Keys {
    /** All alike. */
    UNIFORM("uniform") {
        @Override
        int next(SplittableRandom random, int rows) {
            return 1 + random.nextInt(rows);
        }
    },
    /** Four in five selects go to the first fifth of the keys, which is a fifth of the pages too. */
    EIGHTY_TWENTY("80-20") {
        @Override
        int next(SplittableRandom random, int rows) {
            int hot = Math.max(1, rows / 5);
            boolean isHot = hot == rows || random.nextInt(5) > 0;
            return isHot ? 1 + random.nextInt(hot) : hot + 1 + random.nextInt(rows - hot);
        }
    };

    private final String typed;

    Keys(String typed) {
        this.typed = typed;
    }

    /** A key in 1 … {@code rows}. */
    abstract int next(SplittableRandom random, int rows);

    /** As options and reports have it. */
    @Override
    public String toString() {
        return typed;
    }
}
