// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.cache;

/** The entry that each frame is bound to, or was bound to last. Written by the thread that has claimed the frame. */
final class Bindings<K, V> extends FrameArray<Entry<K, V>> {

    Bindings(int frames) {
        super(frames);
    }

    /** Names what a frame holds, for a message. */
    String describe(int frame) {
        Entry<K, V> entry = get(frame);
        return entry == null ? "frame " + frame : "key " + entry.key();
    }
}
