// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.duel;

/** Receives how far a duel is. */
public interface Progress {
    Progress NONE = (fraction, text) -> {};

    /**
     * Receives the state after a step.
     *
     * @param fraction of all slices that are over, 0 to 1
     * @param text what happens now
     */
    void report(double fraction, String text);
}
