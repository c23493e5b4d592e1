// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc;

/**
 * A pool with its way to find frames and to write pages.
 *
 * @param scheme as typed
 */
record Contender(String scheme) {
    @Override
    public String toString() {
        return scheme;
    }
}
