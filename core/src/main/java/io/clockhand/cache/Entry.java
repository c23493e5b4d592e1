// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.cache;

/**
 * One binding of a key to a frame, made new for every miss and never used again, so that nobody can take a later binding
 * of the same frame or key for this one.
 *
 * <p>Shared fields, both plain: {@code holder} is written by the loading thread before the frame becomes ready;
 * {@code retired} is written by the thread that owns the frame (its claim, or the loader's pin on a frame that never
 * became ready) before the key is unmapped. Both are read by threads that have pinned the frame: the CAS that ended the
 * writer's ownership and the CAS of the reader's pin order them. A thread that pinned the frame and sees {@code retired}
 * clear knows that the frame is bound to this entry for as long as it keeps the pin.
 */
final class Entry<K, V> {
    final K key;
    final int frame;
    V holder;
    boolean retired;

    Entry(K key, int frame, V holder) {
        this.key = key;
        this.frame = frame;
        this.holder = holder;
    }
}
