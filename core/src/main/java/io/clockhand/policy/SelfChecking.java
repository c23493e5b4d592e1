// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

/** A policy that can tell whether its structures are whole. Tests ask it after each step. */
interface SelfChecking {
    /**
     * Checks the invariants of the class.
     *
     * @throws IllegalStateException if one does not hold; the message says which
     */
    void checkIntegrity();
}
