// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

/** A policy that can check its own data structures. Called by tests after each step. */
interface SelfChecking {
    /**
     * Checks the invariants of the class.
     *
     * @throws IllegalStateException if one is violated; the message names it
     */
    void checkIntegrity();

    /**
     * Checks that no page is a ghost while it is in a frame. Two pages with the same identity could be both, so this is
     * for pages whose identities differ.
     *
     * @throws IllegalStateException with such a page
     */
    default void checkGhosts() {}
}
