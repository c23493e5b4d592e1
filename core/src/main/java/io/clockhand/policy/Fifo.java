// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

/**
 * First in, first out: hits are not recorded. Single-threaded.
 *
 * <p>Source: L. A. Belady, A study of replacement algorithms for a virtual-storage computer, IBM Systems Journal 5(2),
 * 1966.
 */
final class Fifo extends SingleList {

    Fifo(int frames) {
        super(frames);
    }

    @Override
    public boolean tracksAccesses() {
        return false;
    }
}
