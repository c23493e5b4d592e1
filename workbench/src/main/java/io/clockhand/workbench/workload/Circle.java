// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.workload;

/** A workload whose references are all known, and which begins anew after the last one. */
final class Circle implements Workload {
    private final int keys;
    private final int[] references;

    /** Keeps the array, which nobody may change any more. */
    Circle(int keys, int[] references) {
        this.keys = keys;
        this.references = references;
    }

    @Override
    public int keys() {
        return keys;
    }

    @Override
    public long length() {
        return references.length;
    }

    @Override
    public References references(long first, int step) {
        return new Round(references, (int) (first % references.length), step % references.length);
    }

    private static final class Round implements References {
        private final int[] references;
        private final int step;
        private int at;

        Round(int[] references, int at, int step) {
            this.references = references;
            this.at = at;
            this.step = step;
        }

        @Override
        public int next() {
            int key = references[at];
            int next = at + step - references.length; // of the next round if it is not negative
            at = next < 0 ? next + references.length : next;
            return key;
        }
    }
}
