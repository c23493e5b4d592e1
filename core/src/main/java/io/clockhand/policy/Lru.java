// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

/**
 * Least recently used: a hit moves the frame to the front of the list. Single-threaded.
 *
 * <p>Source: P. J. Denning, The Working Set Model for Program Behavior, CACM 11(5), 1968.
 */
final class Lru extends SingleList implements PrefetchablePolicy {

    Lru(int frames) {
        super(frames);
    }

    @Override
    public void onHit(int frame) {
        if (lists.listOf(frame) != FrameLists.NONE) {
            lists.moveToFront(frame);
        }
    }

    @Override
    public int prefetch(int frame) {
        return lists.prefetch(frame);
    }
}
