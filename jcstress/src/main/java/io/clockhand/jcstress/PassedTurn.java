// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

/** A thread that waits for its turn, one that releases, and one that may be chosen and does not use its turn. */
abstract class PassedTurn extends WakeUp {
    private final Turns turns;

    PassedTurn(Turns turns) {
        super(turns);
        this.turns = turns;
    }

    final void tryImpatiently() {
        turns.tryImpatiently();
    }
}
