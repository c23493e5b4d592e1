// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.lucene.bench;

import io.clockhand.workbench.experiment.options.EnumNames;

/** What is played. */
enum Work {
    /** A word, drawn as in natural text; the ten best of its documents. */
    TERMS,
    /** The same, by a number that each document has. */
    SORTS,
    /** The ten nearest of 50 candidates to a vector of 64 numbers. */
    VECTORS,
    /** Terms, concurrently with a merge of a copy of the index. */
    MERGE;

    /** The searches that are played. */
    Work searches() {
        return this == MERGE ? TERMS : this;
    }

    /** As it is typed. */
    @Override
    public String toString() {
        return EnumNames.of(this);
    }
}
